"""The way out, against servers that take, refuse, stall and drop."""

from __future__ import annotations

import socket
import ssl
import time

import pytest

from pbem.mail.smtp import Courier, Outgoing, Pace, deliver, next_attempt
from pbem.settings import Secret
from tests.kit.authority import Authority
from tests.kit.fakesmtp import FakeSmtp

FROM = "lune@village.example"


@pytest.fixture(params=[False, True], ids=["one by one", "pipelining"])
def fake(closing, request):
    server = FakeSmtp(pipelining=request.param)
    closing.callback(server.close)
    return server


def letters(*recipients):
    return [
        Outgoing(number, FROM, to, f"To: {to}\r\nSubject: {number}\r\n\r\nBonsoir\r\n.\r\n..x\r\n".encode())
        for number, to in enumerate(recipients)
    ]


async def outcomes(messages, settings):
    found = [outcome async for outcome in deliver(messages, settings)]
    assert sorted(outcome.id for outcome in found) == [message.id for message in messages]
    return {outcome.id: outcome for outcome in found}


async def test_letters_arrive_whole_over_few_connections(fake):
    messages = letters(*(f"player{number}@example.org" for number in range(40)))
    found = await outcomes(messages, fake.settings(connections=3))
    assert {outcome.status for outcome in found.values()} == {"sent"}
    assert sorted(fake.taken) == sorted((message.envelope_to, message.raw) for message in messages)
    assert fake.connections <= 3


async def test_no_letter_no_connection(fake):
    assert await outcomes([], fake.settings()) == {}
    assert fake.connections == 0


@pytest.mark.parametrize("stage", ["rcpt", "data"])
@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("450 4.2.0 greylisted, come back later", "retry"),
        ("451 4.3.0 trouble", "retry"),
        ("452 4.2.2 mailbox full", "retry"),
        ("421 4.7.0 going down", "retry"),
        ("550 5.1.1 no such user", "failed"),
        ("554 5.7.1 smells of spam", "failed"),
        ("drop", "retry"),
    ],
)
async def test_what_happens_to_one_happens_to_no_other(fake, stage, reply, status):
    getattr(fake, stage)["bad@example.org"] = reply
    messages = letters("a@example.org", "bad@example.org", "b@example.org", "bad@example.org", "c@example.org")
    found = await outcomes(messages, fake.settings(connections=1))
    assert [found[number].status for number in range(5)] == ["sent", status, "sent", status, "sent"]
    assert [to for to, _ in fake.taken] == ["a@example.org", "b@example.org", "c@example.org"]
    if reply != "drop":
        assert found[1].code == int(reply[:3])
        assert found[1].text.startswith(reply[4:9])


async def test_a_connection_that_breaks_in_the_middle_of_a_mail(fake):
    fake.data["bad@example.org"] = "drop-halfway"
    big = Outgoing(0, FROM, "bad@example.org", b"Subject: x\r\n\r\n" + b"y" * 70 + b"\r\n" * 300_000)
    found = await outcomes([big, Outgoing(1, FROM, "a@example.org", b"x\r\n")], fake.settings(connections=1))
    assert (found[0].status, found[1].status) == ("retry", "sent")


async def test_a_full_mailbox_told_the_old_way_is_tried_again(fake):
    fake.rcpt["a@example.org"] = "552 mailbox full"
    fake.data["b@example.org"] = "552 5.3.4 message too big"
    found = await outcomes(letters("a@example.org", "b@example.org"), fake.settings())
    assert (found[0].status, found[1].status) == ("retry", "retry")


@pytest.mark.parametrize("reply", ["550 5.7.1 you may not send as that", "530 5.7.0 log in first"])
async def test_a_refused_sender_is_for_the_host_to_mend(fake, reply):
    fake.mail = reply
    found = await outcomes(letters("a@example.org"), fake.settings())
    assert (found[0].status, found[0].code) == ("retry", int(reply[:3]))


async def test_a_server_that_takes_a_few_mails_per_connection(fake):
    fake.quota = 2
    found = await outcomes(letters(*(f"p{n}@example.org" for n in range(9))), fake.settings(connections=1))
    statuses = [found[number].status for number in range(9)]
    assert statuses.count("sent") == 6
    assert statuses.count("retry") == 3
    assert all(found[number].code == 421 for number in range(9) if statuses[number] == "retry")


async def test_fewer_connections_than_asked_for_will_do(fake):
    fake.limit = 1
    found = await outcomes(letters(*(f"p{n}@example.org" for n in range(20))), fake.settings(connections=4))
    assert {outcome.status for outcome in found.values()} == {"sent"}


async def test_a_dead_server_is_told_for_all_at_once_and_counts_as_no_attempt():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = FakeSmtp()
    server.close()
    start = time.monotonic()
    found = await outcomes(letters(*(f"p{n}@example.org" for n in range(50))), server.settings(port=port))
    assert time.monotonic() - start < 2
    assert {(outcome.status, outcome.tried) for outcome in found.values()} == {("retry", False)}
    assert str(port) in found[0].text


async def test_a_server_that_says_nothing(fake):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings = fake.settings(port=silent.getsockname()[1], timeout_seconds=0.3)
        found = await outcomes(letters("a@example.org"), settings)
    assert (found[0].status, found[0].tried) == ("retry", False)
    assert "no answer in time" in found[0].text


async def test_a_busy_greeting(fake):
    fake.greeting = "554 5.3.2 closed for today"
    found = await outcomes(letters("a@example.org"), fake.settings())
    assert (found[0].status, found[0].code, found[0].tried) == ("retry", 554, False)


async def test_connections_are_kept_and_replaced_when_they_died(fake):
    courier = Courier(fake.settings(connections=1))
    try:
        for _ in range(3):
            assert {one.status async for one in courier.deliver(letters("a@example.org", "b@example.org"))} == {"sent"}
        assert fake.connections == 1
        fake.hang_up()
        assert {one.status async for one in courier.deliver(letters("a@example.org", "b@example.org"))} == {"sent"}
    finally:
        await courier.close()


async def test_leaving_in_the_middle_leaves_nothing_open(fake):
    courier = Courier(fake.settings(connections=2))
    async for outcome in courier.deliver(letters(*(f"p{n}@example.org" for n in range(20)))):
        assert outcome.status == "sent"
        break
    await courier.close()
    assert not courier._free


@pytest.mark.parametrize("address", ["", "no address", "a@b\r\nRCPT TO:<c@d.e>", "é@example.org"])
async def test_an_address_that_is_none_fails_alone(fake, address):
    found = await outcomes(letters("a@example.org", address, "b@example.org"), fake.settings(connections=1))
    assert [found[number].status for number in (0, 2)] == ["sent", "sent"]
    assert found[1].status == "failed"
    assert len(fake.taken) == 2


class TestTls:
    @pytest.fixture
    def authority(self, tmp_path):
        return Authority(tmp_path)

    @pytest.fixture
    def context(self, authority):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*authority.server("smtp"))
        return context

    @pytest.mark.parametrize("kind", ["tls", "starttls"])
    async def test_with_a_login(self, authority, context, closing, kind):
        server = FakeSmtp(**{kind: context}, login="\0lune\0pässword")
        closing.callback(server.close)
        secret = Secret.of("pässword")
        settings = server.settings(tls=kind, ca_file=authority.file, user="lune", password=secret)
        assert (await outcomes(letters("a@example.org"), settings))[0].status == "sent"

    @pytest.mark.parametrize("kind", ["tls", "starttls"])
    async def test_an_unknown_authority_gets_nothing(self, context, closing, kind):
        server = FakeSmtp(**{kind: context}, login="\0lune\0password")
        closing.callback(server.close)
        settings = server.settings(tls=kind, user="lune", password=Secret.of("password"))
        found = (await outcomes(letters("a@example.org"), settings))[0]
        assert (found.status, found.tried, server.logins) == ("retry", False, [])
        assert "certificate" in found.text.lower()

    async def test_a_certificate_for_another_host(self, authority, closing):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*authority.server("other", hosts=("mail.example.org",)))
        server = FakeSmtp(tls=context)
        closing.callback(server.close)
        found = (await outcomes(letters("a@example.org"), server.settings(tls="tls", ca_file=authority.file)))[0]
        assert (found.status, found.tried) == ("retry", False)

    async def test_starttls_that_is_not_offered_is_not_done_without(self, fake, authority):
        found = (await outcomes(letters("a@example.org"), fake.settings(tls="starttls", ca_file=authority.file)))[0]
        assert (found.status, found.tried, fake.taken) == ("retry", False, [])

    async def test_with_a_token(self, authority, context, closing):
        server = FakeSmtp(tls=context, login="user=lune\x01auth=Bearer moon\x01\x01")
        closing.callback(server.close)
        settings = server.settings(tls="tls", ca_file=authority.file, user="lune", oauth=Secret.of("moon"))
        assert (await outcomes(letters("a@example.org"), settings))[0].status == "sent"

    async def test_a_wrong_password_is_for_the_host_to_mend_and_told_to_nobody(self, authority, context, closing):
        server = FakeSmtp(tls=context, login="\0lune\0right")
        closing.callback(server.close)
        settings = server.settings(tls="tls", ca_file=authority.file, user="lune", password=Secret.of("not-that-one"))
        found = (await outcomes(letters("a@example.org"), settings))[0]
        assert (found.status, found.code, found.tried) == ("retry", 535, False)
        assert "not-that-one" not in found.text


class TestPace:
    def test_an_hour_at_a_time(self, fake):
        now = 0.0
        pace = Pace(fake.settings(max_per_hour={"gmail.com": 2}), lambda: now)
        for address in ("a@gmail.com", "b@GMAIL.com"):
            assert pace.hold(address) == 0
            pace.note(address)
            now += 60
        assert pace.hold("c@gmail.com") == 3600 - 120
        assert pace.hold("c@example.org") == 0
        now = 3601.0
        assert pace.hold("c@gmail.com") == 0

    async def test_what_exceeds_it_waits_and_holds_up_nobody(self, fake):
        messages = letters("a@gmail.com", "b@gmail.com", "c@gmail.com", "d@example.org")
        found = await outcomes(messages, fake.settings(connections=1, max_per_hour={"gmail.com": 2}))
        assert [found[number].status for number in range(4)] == ["sent", "sent", "retry", "sent"]
        assert not found[2].tried
        assert 3500 < found[2].after <= 3600


def test_pauses_between_attempts_grow_to_an_hour():
    pauses = [next_attempt(number) for number in range(1, 12)]
    assert pauses == sorted(pauses)
    assert pauses[0] <= 60
    assert pauses[-1] == 3600


async def test_over_the_embedded_office(office):
    settings = office.smtp_settings()
    messages = letters("alice@village.example", "x@example.org", "village@village.example")
    found = await outcomes(messages, settings)
    assert [found[number].status for number in range(3)] == ["sent", "failed", "sent"]
