"""`pbem archive serve` and requests that are not as they should be: each gets one answer in plain words, no body is ever
taken for a request, and nothing reaches the terminal.
"""

from __future__ import annotations

import re
import socket
import threading
from contextlib import contextmanager

import pytest

from tests.archive.conftest import under_way
from tests.archive.test_server import Web
from tests.archive.troupe import Stage

HIDDEN = b"GET /lune/pl1/ HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def serving(folder, **settings):
    stage = Stage(folder, **settings)
    under_way(stage)
    stage.publish()
    site = stage.publisher.website("127.0.0.1", 0)
    thread = threading.Thread(target=site.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield Web(stage, site.server_port)
    finally:
        site.shutdown()
        site.server_close()
        thread.join()
        stage.store.close()


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web")) as web:
        yield web


def answers(web, request, *, more=b""):
    """Everything that comes back on one connection: status lines, and all bytes."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as connection:
        connection.sendall(request)
        got = bytearray()
        if more:
            got += connection.recv(65_536)
            connection.sendall(more)
        else:
            connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(65_536):
            got += part
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", got)], bytes(got)


def chunks(body):
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


BODIES = {
    "Content-Length: 36": HIDDEN, "content-length: 000036": HIDDEN, "Transfer-Encoding: chunked": chunks(HIDDEN),
    "Transfer-Encoding: gzip, chunked": chunks(HIDDEN), "Transfer-Encoding: x\r\nContent-Length: 36": HIDDEN,
    "Content-Length: 36\r\nContent-Length: 0": HIDDEN, "Content-Length: 0\r\nContent-Length: 36": HIDDEN,
    "Content-Length : 36": HIDDEN, "Content-Length: 3²": HIDDEN, "Content-Length: ²": HIDDEN, "Content-Length: -1": HIDDEN,
    "Content-Length: +36": HIDDEN, "Content-Length: 36, 36": HIDDEN, "rubbish\r\nContent-Length: 36": HIDDEN,
    "Content-Length: 3_6": HIDDEN, "Content-Length: 36\r\nExpect: 100-continue": HIDDEN, "Content-Length: 99999999999": HIDDEN,
}  # fmt: skip


@pytest.mark.parametrize(
    "method", ["POST /lune/", "POST /lune/unsubscribe/aaaabbbbccccdddd", "GET /lune/", "HEAD /", "PUT /x", "GET /no"]
)
@pytest.mark.parametrize("header", BODIES)
def test_a_body_is_never_the_next_request(web, capfd, method, header):
    request = f"{method} HTTP/1.1\r\nHost: x\r\n{header}\r\n\r\n".encode("latin-1") + BODIES[header]
    for more in (b"", HIDDEN):
        statuses, got = answers(web, request, more=more)
        assert len([status for status in statuses if status != 100]) == 1, got
        assert b"Connection: close" in got
    assert capfd.readouterr() == ("", "")


def test_without_a_body_a_connection_stays(web):
    statuses, got = answers(web, b"POST /lune/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" + HIDDEN * 2)
    assert statuses == [405, 200, 200]
    assert b"Connection: close" not in got


def test_an_answer_arrives_although_much_was_not_read(web):
    statuses, _ = answers(web, b"POST / HTTP/1.1\r\nContent-Length: 60000\r\n\r\n" + b"x" * 60_000)
    assert statuses == [405]


def test_a_body_that_nobody_wants_is_not_asked_for(web):
    head = b"POST %b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 26\r\n\r\n"
    body = b"List-Unsubscribe=One-Click"
    assert answers(web, head % b"/lune/")[0] == [405]
    assert answers(web, head % b"/unsubscribe/aaaabbbbccccdddd", more=body)[0] == [100, 200]


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET http://[::1/x HTTP/1.1", 400), ("HEAD http://[::1/x HTTP/1.1", 400), ("POST http://[::1/x HTTP/1.1", 400),
        ("GET http://[x]/ HTTP/1.1", 400), ("GET / HTTP/².1", 400), ("GET / HTTP/1", 400), ("GET", 400), ("GET a b c", 400),
        ("BREW / HTTP/1.1", 501), ("PUT / HTTP/1.1", 501), ("GET / HTTP/3.0", 505), ("POST / HTTP/1.1", 405),
        (f"GET /{'x' * 70_000} HTTP/1.1", 414), ("GET / HTTP/1.1\r\n" + "\r\n".join(["a: b"] * 200), 431),
        ("POST /unsubscribe/aaaabbbbccccdddd HTTP/1.1", 411),
    ],
)  # fmt: skip
def test_every_refusal_is_in_plain_words(web, capfd, request_line, status):
    statuses, got = answers(web, f"{request_line}\r\n\r\n".encode("latin-1"))
    assert statuses == [status]
    head, _, body = got.partition(b"\r\n\r\n")
    assert b"Content-Type: text/plain; charset=utf-8" in head
    assert b"Content-Security-Policy: default-src 'none'" in head
    assert b"<" not in body
    assert body.startswith(b"" if request_line.startswith("HEAD") else str(status).encode())
    assert capfd.readouterr() == ("", "")


def test_somebody_who_goes_away_leaves_no_trace_on_the_terminal(web, capfd):
    for request in (b"", b"GET", b"POST /unsubscribe/aaaabbbbccccdddd HTTP/1.1\r\nContent-Length: 26\r\n\r\nList"):
        with socket.create_connection(("127.0.0.1", web.port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # ends with a reset
            connection.sendall(request)
    assert web.ask("/pl1/")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_the_sites_own_place_without_its_slash_leads_there(web):
    status, headers, _ = web.ask("/lune")
    assert (status, headers["location"]) == (301, "/lune/")
    assert web.ask("/lune/")[0] == 200
    assert web.ask("/lunes")[0] == 404


@pytest.mark.parametrize("noindex", [True, False])
def test_search_engines_are_asked_away_from_every_file_if_wanted(tmp_path, noindex):
    with serving(tmp_path, noindex=noindex) as web:
        for path in ("/", "/feed.atom", "/pl1/list.mbox", "/pl1/game.json", "/pl1/deadlines.ics", "/nowhere"):
            assert ("noindex" in web.ask(path)[1].get("x-robots-tag", "")) is noindex
