"""Every event and command survives the way to text and back, and nothing else is taken for one."""

from __future__ import annotations

import importlib
import json
import pkgutil
from datetime import UTC, datetime

import pytest

import pbem.engine
from pbem.engine import commands, events
from pbem.store import codec
from tests.store.samples import Sampler

AT = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)


def _subclasses(base):
    for sub in base.__subclasses__():
        yield sub
        yield from _subclasses(sub)


def _all_of(base, families):
    for module in pkgutil.walk_packages(pbem.engine.__path__, "pbem.engine."):
        importlib.import_module(module.name)
    return {cls.__name__ for cls in _subclasses(base)} - families


def test_the_codec_knows_every_event_that_the_engine_defines_anywhere():
    assert set(codec.EVENTS) == _all_of(events.Event, {"Fact", "Public", "Private"})
    assert len(codec.EVENTS) > 60


def test_the_codec_knows_every_command_that_the_engine_defines_anywhere():
    assert set(codec.COMMANDS) == _all_of(commands.Command, set())


@pytest.mark.parametrize("name", codec.EVENTS)
def test_an_event_comes_back_equal(name):
    for variant in range(8):
        event = Sampler(variant).record(codec.EVENTS[name])
        text = codec.encode_event(event)
        assert text.isascii()
        back = codec.decode_event(text)
        assert back == event
        assert type(back) is type(event)
        assert codec.encode_event(back) == text


@pytest.mark.parametrize("name", codec.COMMANDS)
def test_a_command_comes_back_equal(name):
    for variant in range(8):
        command = Sampler(variant).record(codec.COMMANDS[name])
        assert codec.decode_command(codec.encode_command(command)) == command


def test_the_text_is_what_the_documentation_says():
    text = codec.encode_event(events.Joined(seat=3, name="Chloé", gender="f"))
    assert text == r'{"gender":"f","name":"Chlo\u00e9","seat":3,"type":"Joined"}'


@pytest.mark.parametrize(
    "event",
    [
        events.Joined(seat="3", name="Chloé", gender="f"),
        events.Joined(seat=True, name="Chloé", gender="f"),
        events.DigestsHeld(held=1),
        events.OrderTaken(seat=1, verb="VOTE", at=datetime(2026, 12, 7), seats=(1,)),  # noqa: DTZ001
        events.OrderTaken(seat=1, verb="VOTE", at=AT, seats=[1]),
        events.CompositionSet(counts=(("seer", 1, 2),)),
        events.Remembered(seat=1, key="k", value=object()),
        events.Remembered(seat=1, key="k", value=[1]),
        events.Event(),
        commands.Tick(AT),
    ],
)
def test_what_is_not_as_its_class_says_is_not_kept(event):
    with pytest.raises(codec.CodecError):
        codec.encode_event(event)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        '{"seat":3}',
        '{"type":"Tick","at":"2026-12-07T08:00:00+00:00"}',
        '{"type":"Event"}',
        '{"type":"Left"}',
        '{"type":"Left","seat":3,"name":"x"}',
        '{"type":"Left","seat":"3"}',
        '{"type":"Left","seat":true}',
        '{"type":["Left"],"seat":3}',
        '{"type":"OrderCancelled","seat":3,"verb":"VOTE","at":"2026-12-07T08:00:00"}',
        '{"type":"OrderCancelled","seat":3,"verb":"VOTE","at":"monday"}',
        '{"type":"Remembered","seat":3,"key":"k","value":[1]}',
        '{"type":"Remembered","seat":3,"key":"k","value":{"$date":1}}',
    ],
)
def test_what_is_no_event_is_refused(text):
    with pytest.raises(codec.CodecError):
        codec.decode_event(text)


def test_an_unknown_version_is_refused():
    text = codec.encode_event(events.Left(seat=1))
    with pytest.raises(codec.CodecError):
        codec.decode_event(text, codec.VERSION + 1)


def test_a_field_younger_than_the_text_takes_its_default():
    body = json.loads(codec.encode_event(events.PowerSpent(seat=1, verb="FORGE")))
    del body["effect"]
    assert codec.decode_event(json.dumps(body)) == events.PowerSpent(seat=1, verb="FORGE", effect="worked")


def test_a_text_of_an_older_version_is_upgraded(monkeypatch):
    monkeypatch.setattr(codec, "VERSION", 2)
    monkeypatch.setitem(codec.UPGRADES, (1, "Left"), lambda body: {"seat": body["chair"]})
    assert codec.decode_event('{"type":"Left","chair":4}', 1) == events.Left(seat=4)
    assert codec.decode_event('{"type":"Joined","seat":1,"name":"A","gender":"m"}', 1) == events.Joined(1, "A", "m")
