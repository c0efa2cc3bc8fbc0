"""MAIL.md § 4 (b): which Authentication-Results count, what they must say, and the game's own check of DKIM.

Forged headers and positions are tested with whole mails, `tests/mails/ar-*.eml`.
"""

from __future__ import annotations

from datetime import UTC, datetime

import dkim
import pytest

from pbem.mail.authenticity import Trust, Verdict, aligned, judge
from pbem.mail.mime import open_mail

NOW = datetime(2026, 12, 7, tzinfo=UTC)
ID = "mx.jeu.example"
RECEIVED = f"Received: from out.b.example (out.b.example [192.0.2.1]) by {ID} with ESMTPS id 1; Mon, 7 Dec 2026 20:00:00 +0100\n"


def verdict(top: str, trust: Trust | None = None, sender: str = "ines@b.example", rest: str = "") -> Verdict:
    raw = f"{top}From: {sender}\nTo: lune@jeu.example\nSubject: VOTER Bruno\n{rest}\nx".encode()
    return judge(open_mail(raw, NOW), trust or Trust(ID), raw)


def results(text: str) -> str:
    return f"Authentication-Results: {ID}; {text}\n{RECEIVED}"


@pytest.mark.parametrize(
    "text",
    [
        "dmarc=pass header.from=b.example",
        "dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=b.example",
        "dmarc=pass(p=none dis=none)  header.from=b.example",
        "dmarc=pass",
        "DMARC=Pass header.From=B.Example",
        "dkim=pass header.d=b.example",
        "dkim=pass header.i=@b.example header.s=x header.b=abc",
        "dkim=pass (2048-bit key; unprotected) header.d=b.example header.b=Xk/+9=",
        "dkim=pass header.d=news.b.example",
        "spf=pass smtp.mailfrom=ines@b.example",
        "spf=pass (mx: domain of x@b.example designates 192.0.2.1 as permitted sender) smtp.mailfrom=bounce@mail.b.example",
        "spf=pass smtp.mailfrom=b.example",
        "dkim=fail header.d=b.example; dkim=pass header.d=b.example; dmarc=none",
        "dkim=pass header.d=pirate.example; dkim=pass header.d=b.example; dmarc=temperror",
        "arc=pass; dmarc=pass header.from=b.example; compauth=pass reason=100",
        'dkim=pass reason="good signature" header.d=b.example;',
    ],
)
def test_passes(text: str) -> None:
    assert verdict(results(text)).authentic


@pytest.mark.parametrize(
    "text",
    [
        "none",
        "dmarc=fail header.from=b.example",
        "dkim=pass header.d=b.example; dmarc=fail header.from=b.example",
        "dmarc=pass header.from=b.example; dmarc=fail header.from=b.example",
        "dmarc=bestguesspass header.from=b.example",
        "dmarc=pass header.from=pirate.example",
        "dkim=pass header.d=pirate.example",
        "dkim=pass header.d=example",
        "dkim=pass header.d=notb.example",
        "dkim=neutral header.d=b.example",
        "dkim=pass",
        "spf=softfail smtp.mailfrom=ines@b.example",
        "spf=pass smtp.mailfrom=ines@pirate.example",
        "spf=pass smtp.helo=b.example",
        'spf=pass smtp.mailfrom="x@b.example"@pirate.example',
        "spf=pass smtp.mailfrom=<>",
        "iprev=pass policy.iprev=192.0.2.1; auth=pass smtp.auth=ines@b.example",
        "dkim-adsp=pass header.from=b.example",
        "(dmarc=pass header.from=b.example)",
        "arc=pass (i=1 dmarc=pass fromdomain=b.example)",
        "x; dmarc = = pass",
        "",
        "((((((",
        '"',
    ],
)
def test_does_not_pass(text: str) -> None:
    assert not verdict(results(text)).authentic


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("b.example", "b.example", True),
        ("a.b.example", "c.d.b.example", True),
        ("b.co.uk", "c.co.uk", False),
        ("co.uk", "b.co.uk", False),
        ("b.github.io", "c.github.io", False),
        ("b.example", "c.example", False),
        ("B.example.", "b.EXAMPLE", True),
        ("", "b.example", False),
        ("", "", False),
    ],
)
def test_alignment(one: str, other: str, expected: bool) -> None:
    assert aligned(one, other) is expected


PASS = f"Authentication-Results: {ID}; dmarc=pass header.from=b.example\n"


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        (PASS + RECEIVED, True),
        (RECEIVED + PASS, False),
        (f"Received: by {ID} (Dovecot) with LMTP id 9; x\n" + PASS + RECEIVED, True),
        (f"Received: from {ID} by {ID} with LMTPS id 9; x\n" + PASS + RECEIVED, True),
        (f"Received: from localhost (localhost [IPv6:::1]) by {ID} (Postfix) with ESMTP; x\n" + PASS + RECEIVED, True),
        (f"Received: from x ([127.0.0.1]) by {ID} with ESMTP; x\n" + PASS + RECEIVED, True),
        (f"Received: from x ([127.0.0.1]) (evil [203.0.113.1]) by {ID} with ESMTP; x\n" + PASS + RECEIVED, False),
        (f"Received: from {ID} by other.example with LMTP id 9; x\n" + PASS + RECEIVED, False),
        (f"Received: from evil with LMTP ([203.0.113.1]) by {ID} by {ID} with ESMTP; x\n" + PASS, False),
        (f"Received: from evil ([203.0.113.1]) by {ID} with ESMTP id 1 (with LMTP); x\n" + PASS, False),
        (f'Received: from evil ([203.0.113.1]) by {ID} with ESMTP for <"a with LMTP"@{ID}>; x\n' + PASS, False),
        ("Received: nonsense\n" + PASS, False),
        (PASS.replace(ID, "mx.other.example") + RECEIVED, False),
        (PASS.replace(ID, ID.upper()) + RECEIVED, True),
        (PASS.replace(ID, f"{ID} 1") + RECEIVED, True),
        (PASS.replace(ID, f"({ID}) pirate.example") + RECEIVED, False),
        (PASS.replace("Authentication-Results", "ARC-Authentication-Results") + RECEIVED, False),
        (PASS.replace("Authentication-Results", "X-Authentication-Results") + RECEIVED, False),
    ],
)
def test_position(top: str, expected: bool) -> None:
    assert verdict(top).authentic is expected


@pytest.mark.parametrize(
    "giver",
    [
        "unknown (HELO [127.0.0.1]) (6.6.6.6)",
        "unknown (HELO 127.0.0.1) (6.6.6.6)",
        "evil.example (HELO [IPv6:::1]) (127.0.0.1@6.6.6.6)",
        "unknown (HELO (127.0.0.1) by x) (6.6.6.6)",
        "unknown (HELO [127.0.0.1]) (2001:db8::6)",
        "[127.0.0.1] (6.6.6.6)",
        "[127.0.0.1] (2001:db8::6)",
        "[127.0.0.1] (006.006.006.006)",
        "[127.0.0.1] (evil.example [6.6.6.6])",
        "[127.0.0.1] (evil.example [IPv6:2001:db8::6])",
        "[127.0.0.1] (6.6.6.6:2525)",
        "[127.0.0.1] (evil.example)",
        "[127.0.0.1] ([6.6.6.6])",
        "[127.0.0.1]",
        "[6.6.6.6] (helo=[127.0.0.1])",
        "[6.6.6.6] (port=99 helo=[127.0.0.1])",
        "evil.example ([6.6.6.6] helo=[127.0.0.1])",
        "evil.example (helo=[127.0.0.1])",
        "evil.example (account x HELO [127.0.0.1])",
        "[127.0.0.1] (account x HELO [127.0.0.1])",
        "localhost (localhost [6.6.6.6])",
        "127.0.0.1.evil.example (unknown)",
        "evil.example (EHLO ::1) (6.6.6.6)",
        "x with LMTP (evil.example)",
        "localhost",
    ],
)
def test_a_stranger_who_calls_himself_loopback_is_still_outside(giver: str) -> None:
    for by in (ID, f"{ID} (10.0.0.1)"):
        assert not verdict(f"Received: from {giver}\n by {by} with SMTP; x\n" + PASS).authentic
        assert not verdict(f"Received: from {giver}\n by {by} with SMTP; x\n" + PASS + RECEIVED).authentic


@pytest.mark.parametrize(
    "giver",
    [
        "localhost (localhost [127.0.0.1])",
        "localhost (HELO localhost) (127.0.0.1)",
        "unknown (HELO [127.0.0.1]) (127.0.0.1)",
        "localhost (127.0.0.1)",
        "[127.0.0.1] (127.0.0.1)",
        "localhost (::1)",
        "mx.jeu.example (localhost [::ffff:127.0.0.1])",
        "[127.0.0.1] (helo=localhost)",
        "[127.0.0.1] (port=40312 helo=localhost)",
        "[::1] (helo=[127.0.0.1])",
        "localhost ([127.0.0.1]:40312 helo=localhost)",
        "[127.0.0.1] (localhost [127.0.0.1])",
    ],
)
def test_what_a_filter_gives_back_on_the_host_itself_is_inside(giver: str) -> None:
    assert verdict(f"Received: from {giver}\n by {ID} with ESMTP; x\n" + PASS + RECEIVED).authentic


def test_position_below_a_configured_host() -> None:
    trust = Trust(ID, received_host="in.jeu.example")
    outside = "Received: from out.b.example ([192.0.2.1]) by in.jeu.example with ESMTPS; x\n"
    inside = "Received: from in.jeu.example ([192.0.2.9]) by store.jeu.example with ESMTP; x\n"
    assert verdict(inside + PASS + outside, trust).authentic
    assert not verdict(inside + outside + PASS, trust).authentic
    assert not verdict(inside + outside + PASS + outside, trust).authentic
    assert not verdict(inside + PASS, trust).authentic


@pytest.mark.parametrize("sender", ["a@b.example, ines@b.example", "", "ines", "a@b.example\nFrom: ines@b.example"])
def test_not_one_sender(sender: str) -> None:
    assert not verdict(results("dmarc=pass header.from=b.example"), sender=sender).authentic


@pytest.mark.parametrize(
    "extra", ["Subject: x\n", "Content-Type: text/plain\nContent-Type: text/html\n", "From: ines@b.example\n"]
)
def test_headers_that_stand_twice_spoil_a_signature(extra: str) -> None:
    assert not verdict(results("dmarc=pass header.from=b.example"), rest=extra).authentic


def test_no_authserv_id_and_tags_only() -> None:
    assert not verdict(results("dmarc=pass header.from=b.example"), Trust(None)).authentic
    assert not verdict(results("dmarc=pass header.from=b.example"), Trust(ID, mode="tags-only")).authentic


def test_aligned_signatures_are_named_so_that_a_replay_shows() -> None:
    signature = "DKIM-Signature: v=1; d=b.example; s=x; h=from; b=AAA\n BBB\nDKIM-Signature: v=1; d=c.example; b=CCC\n"
    assert verdict(results("dmarc=pass header.from=b.example"), rest=signature).signatures == ("AAABBB",)


# -- Own check -------------------------------------------------------------------------------------------------------

# A key made for this test; it signs nothing else.
KEY = b"""-----BEGIN RSA PRIVATE KEY-----
MIICWwIBAAKBgQCzfeClAmInr5dMbLJK2Y46qo5IluAPaF9r2Buy6a+k8XOfqm81
vhiHy4ESXgBWCio7bwOhnxk4sanBxlw1HLfz7gcfbxroDuKQo/NxqovS+jTzev8z
vKAB+Dvzy/NQe9lgjLtwQ8fM4myANWnPEnZ6UL/wCrvk8O4MbquSLk5l9wIDAQAB
AoGAB5QF+xGJsWFBgxGHyY876RAwZ7IvDZd7h+Mc8EXbi5xCJHier2cyQ/F8ppjf
bMKLG+1I+vbrqrAdmbfVRszKm2jIi+Q7lhEnI9e3YxnfEBErtgzXesq0vXE71UQU
1P6zgCRtMe9Nc2yODjuoN8VEOQmHguQL4irjIwKHjFFFkJECQQDmUHketIu0J2pb
bpk702Z3MhonygwhmPGKa4IvIiwp5QaZwdlS+tNiRNBQsWmL3ad7ObFnoBIo1MyW
muLrMynJAkEAx4JoEbhluRTNBAib/mMgiDZ0Pj/UCzQzIEICyGJjvSNdkGk6AWsd
Zb4kfnHzOFOXXggaOcAeBVFq/R0YqGzxvwJAG/25yraMqBeGQJh/fRrjQCdRsHZI
5ShuarFIQCw6C9lu5O7/V6tuV2ofmz8EoeANg9duLTbyHg5G0yL94zHzqQJASSo3
xBfdpixMqygFHRt5OLrPkmyR9LHl9fR/VMFQVnJ7w5PzY8XGeCNs+roLOiLdpexO
wdMEr2qWU9Cx1EJvvQJAMq0o4eVNwVzjGHju8/8iwq7eOqCQA94bWO/FObNZZdLk
ViNWsuK1EST5zpNoBsGr7TfkmbYStITUtt/ArR/yzg==
-----END RSA PRIVATE KEY-----
"""
PUBLIC = (
    b"MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCzfeClAmInr5dMbLJK2Y46qo5IluAPaF9r2Buy6a+k8XOfqm81vhiHy4ESXgBW"
    b"Cio7bwOhnxk4sanBxlw1HLfz7gcfbxroDuKQo/NxqovS+jTzev8zvKAB+Dvzy/NQe9lgjLtwQ8fM4myANWnPEnZ6UL/wCrvk8O4M"
    b"bquSLk5l9wIDAQAB"
)
MESSAGE = (
    b"From: ines@b.example\r\nTo: lune@jeu.example\r\nSubject: VOTER Bruno\r\nMessage-ID: <1@b.example>\r\n\r\nOui.\r\n"
)
HEADERS = (b"from", b"to", b"subject", b"message-id")


def dns(name: bytes, **_: object) -> bytes | None:
    return b"v=DKIM1; k=rsa; p=" + PUBLIC if name.rstrip(b".") == b"s._domainkey.b.example" else None


def signed(domain: bytes = b"b.example", headers: tuple[bytes, ...] = HEADERS, *, length: bool = False) -> bytes:
    signature: bytes = dkim.sign(MESSAGE, b"s", domain, KEY, include_headers=list(headers), length=length)
    return signature + MESSAGE


def checked(raw: bytes) -> bool:
    return judge(open_mail(raw, NOW), Trust(None, mode="dkim"), raw, dns).authentic


def test_a_good_signature() -> None:
    assert checked(signed())


@pytest.mark.parametrize(
    "raw",
    [
        MESSAGE,
        signed().replace(b"Bruno", b"Chloe"),
        signed().replace(b"Oui.", b"Non."),
        signed(b"c.example"),
        signed(headers=(b"from", b"to")),
        signed(length=True) + b"!voter Chloe\r\n",
        signed(length=True),
        b"Subject: VOTER Chloe\r\n" + signed(),
        b"DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=s; h=from:subject; b=AAAA; bh=AAAA\r\n" + MESSAGE,
        b"DKIM-Signature: nonsense\r\n" + MESSAGE,
        b"",
    ],
)
def test_no_good_signature(raw: bytes) -> None:
    assert not checked(raw)


def test_no_dns_no_pass() -> None:
    raw = signed()
    assert not judge(open_mail(raw, NOW), Trust(None, mode="dkim"), raw, lambda *_, **__: None).authentic
    assert not judge(open_mail(raw, NOW), Trust(None, mode="dkim"), None, dns).authentic
