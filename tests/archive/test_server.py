"""`pbem archive serve`: files of the folder and nothing else, strict headers, and the one-click goodbye (RFC 8058)."""

from __future__ import annotations

import http.client
import threading

import pytest

from tests.archive.conftest import under_way


@pytest.fixture
def web(stage):
    under_way(stage)
    stage.publish()
    site = stage.publisher.website("127.0.0.1", 0)
    thread = threading.Thread(target=site.serve_forever, args=(0.01,))
    thread.start()
    yield Web(stage, site.server_port)
    site.shutdown()
    site.server_close()
    thread.join()


class Web:
    def __init__(self, stage, port):
        self.stage, self.port = stage, port

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    @property
    def tag(self):
        with self.stage.store.read() as tx:
            return tx.readers(1)[0].tag if tx.readers(1) else ""


def test_pages_come_with_strict_headers(web):
    status, headers, content = web.ask("/pl1/")
    assert status == 200
    assert content == web.stage.folder.file("pl1/").read_bytes()
    assert headers["content-type"] == "text/html; charset=utf-8"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "python" not in headers["server"].lower()


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/assets/style.css?1", "text/css; charset=utf-8"), ("/assets/archive.js", "text/javascript; charset=utf-8"),
     ("/feed.atom", "application/atom+xml"), ("/pl1/deadlines.ics", "text/calendar; charset=utf-8"),
     ("/pl1/list.mbox", "application/mbox"), ("/pl1/game.json", "application/json"), ("/", "text/html; charset=utf-8")],
)  # fmt: skip
def test_every_file_has_its_type(web, path, kind):
    status, headers, _ = web.ask(path)
    assert (status, headers["content-type"]) == (200, kind)


def test_a_folder_without_its_slash_is_sent_there(web):
    status, headers, _ = web.ask("/pl1")
    assert (status, headers["location"]) == (301, "/pl1/")
    assert web.ask("//evil.example/%2e%2e")[0] == 404


@pytest.mark.parametrize(
    "path",
    ["/.written/pl1.json", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/pl1/..%2f..%2fsecret", "/nowhere/", "/pl1/%00",
     "/assets/", "/pl1/post/", "/..%5c..%5csecret", "/pl1//day-1/", "*"],
)  # fmt: skip
def test_what_is_not_there_is_not_shown(web, path):
    (web.stage.root.parent / "secret").write_text("secret")
    (web.stage.root / "pl1" / "link").symlink_to(web.stage.root.parent / "secret")
    assert web.ask(path)[0] == 404
    assert web.ask("/pl1/link")[0] == 404
    status, _, content = web.ask("/nowhere")
    assert status == 404
    assert "Personne n’habite ici" in content.decode()


def test_it_answers_below_its_configured_place_too(web):
    assert web.ask("/lune/pl1/")[2] == web.ask("/pl1/")[2]
    assert web.ask(f"/lune/unsubscribe/{web.tag}", "POST", "List-Unsubscribe=One-Click")[0] == 200
    assert web.tag == ""
    assert b'href="../assets/style.css' in web.ask("/lune/no/where")[2]


def test_head_and_conditions(web):
    status, headers, content = web.ask("/pl1/", "HEAD")
    assert (status, content) == (200, b"")
    assert int(headers["content-length"]) > 1000
    assert web.ask("/pl1/", If_Modified_Since=headers["last-modified"])[0] == 304
    assert web.ask("/pl1/", If_Modified_Since="Mon, 01 Jan 2001 00:00:00 GMT")[0] == 200
    assert web.ask("/pl1/", If_Modified_Since="yesterday")[0] == 200


def test_one_click_ends_a_subscription_and_nothing_else_does(web):
    tag, where = web.tag, f"/unsubscribe/{web.tag}"
    status, _, content = web.ask(where)
    assert status == 200
    assert '<form method="post">' in content.decode()
    assert web.tag == tag
    for body, headers in (
        ("", {}),
        ("List-Unsubscribe=Nothing", {}),
        ("x" * 10_000, {}),
    ):
        assert web.ask(where, "POST", body, **headers)[0] in {400, 413}
    assert web.ask("/unsubscribe/aaaabbbbccccdddd", "POST", "List-Unsubscribe=One-Click")[0] == 200
    assert web.tag == tag
    assert web.ask("/pl1/", "POST", "List-Unsubscribe=One-Click")[0] == 405
    status, headers, content = web.ask(
        where, "POST", "List-Unsubscribe=One-Click", Content_Type="application/x-www-form-urlencoded"
    )
    assert status == 200
    assert "location" not in headers
    assert "Vous ne suivez plus la partie" in content.decode()
    assert web.tag == ""
    assert web.ask(where, "POST", "List-Unsubscribe=One-Click")[0] == 200


def test_a_mail_program_may_send_it_in_parts(web):
    """RFC 8058 § 3.2: multipart/form-data is the other form."""
    body = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    assert web.ask(f"/unsubscribe/{web.tag}", "POST", body, Content_Type="multipart/form-data; boundary=b")[0] == 200
    assert web.tag == ""


def test_no_tag_stands_in_the_log(web, caplog):
    caplog.set_level("DEBUG")
    web.ask(f"/unsubscribe/{web.tag}")
    web.ask("/pl1/")
    assert "/pl1/" in caplog.text
    assert web.tag not in caplog.text
