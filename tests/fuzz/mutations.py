"""Mails changed at random, each by a number of its own, and what the change may do to their meaning.

Three sorts of change. *Keeping* ones say the same in another form (another charset, other line ends, a signature, a
quotation or an attachment more). *Silencing* ones make it the word of a machine, of the game, or of somebody who is
quoted: no order may be left. *Damage* hits bytes and lines anywhere; what it leaves may say less, but nothing new.
"""

from __future__ import annotations

import base64
import html
import quopri
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.header import Header
from typing import TYPE_CHECKING, Final

from pbem.mail.mime import open_mail

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_AT: Final = datetime(2026, 12, 7, 20, tzinfo=UTC)
ORDERS: Final = "VOTER Bruno\n!voter Bruno\n!dévorer Chloé\n!statut"
"""What must never be heard out of a quotation, a signature or an attachment."""
JUNK: Final = (b"\x00", b"\xff\xfe", b"=", b"=?", b"?=", b"--", b"\r", b"\n", b"\r\n\r\n", b">", b"<", b"&", b'"', b"(", b";", b":",
               b"\xe2\x80\x8b", b"\xc3", b" ", b"\t", b"[PL1]", b"=0A", b"%0A", b"\x1b$B", b"a" * 998)  # fmt: skip


@dataclass(frozen=True)
class Mail:
    """Fields as (name, value with its folds), and everything below the blank line."""

    fields: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def get(self, name: bytes) -> bytes:
        return next((value for key, value in self.fields if key.lower() == name), b"")

    def put(self, name: bytes, value: bytes) -> Mail:
        """With that field once, where it stood or else last."""
        at = next((n for n, (key, _) in enumerate(self.fields) if key.lower() == name.lower()), len(self.fields))
        kept = [field for field in self.fields if field[0].lower() != name.lower()]
        kept.insert(min(at, len(kept)), (name, value))
        return replace(self, fields=tuple(kept))

    def above(self, name: bytes, value: bytes) -> Mail:
        return replace(self, fields=((name, value), *self.fields))

    def raw(self) -> bytes:
        return b"".join(name + b":" + value + b"\r\n" for name, value in self.fields) + b"\r\n" + self.body


@dataclass(frozen=True)
class Mutant:
    """`silent`: it must give no order. `damaged`: the lines of the unchanged mail that damage touched, by number."""

    raw: bytes
    how: tuple[str, ...]
    silent: bool = False
    damaged: frozenset[int] | None = None


def take_apart(raw: bytes) -> Mail | None:
    """None for a mail whose head is not one."""
    head, blank, body = raw.removeprefix(b"\xef\xbb\xbf").partition(b"\r\n\r\n")
    fields: list[tuple[bytes, bytes]] = []
    for line in head.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if line[:1] in {b" ", b"\t"} and fields:
            fields[-1] = (fields[-1][0], fields[-1][1] + b"\r\n" + line)
        elif colon and re.fullmatch(rb"[!-9;-~]+", name):
            fields.append((name, value))
        else:
            return None
    return Mail(tuple(fields), body) if fields and blank else None


# ---- the words of a plain mail


def _words(mail: Mail) -> str | None:
    """The text of a mail that is one plain part; None for others, and where Python's own parser reads another text."""
    kind = re.split(rb"[;\s]", mail.get(b"content-type").strip().lower() or b"text/plain", maxsplit=1)[0]
    if kind != b"text/plain" or b"flowed" in mail.get(b"content-type").lower():
        return None
    try:
        part = message_from_bytes(mail.put(b"X-End", b" 1").raw())
        charset = part.get_content_charset("ascii")
        text = part.get_payload(decode=True).decode(charset).replace("\r\n", "\n")
    except (LookupError, ValueError, AttributeError, AssertionError):
        return None
    ours = open_mail(mail.raw(), _AT).text or ""
    return text if text.split() == ours.split() else None


def _with_words(mail: Mail, text: str, rng: Random, *, kind: str = "text/plain") -> Mail | None:
    charset = rng.choice(("utf-8", "utf-8", "cp1252", "iso-8859-15", "utf-16", "utf-7", "gb18030"))
    encoding = "base64" if charset == "utf-16" else rng.choice(("base64", "quoted-printable", "8bit"))
    try:
        data = text.replace("\n", "\r\n").encode(charset)
    except UnicodeEncodeError:
        return None
    if encoding == "base64":
        data = base64.encodebytes(data).replace(b"\n", b"\r\n")
    elif encoding == "quoted-printable":
        data = quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    typed = mail.put(b"Content-Type", f" {kind}; charset={charset}".encode())
    return replace(typed.put(b"Content-Transfer-Encoding", b" " + encoding.encode()), body=data)


def _on_words(change: Callable[[str, Random], str]) -> Callable[[Mail, Random], Mail | None]:
    """A change of plain words as a change of a mail."""

    def changed(mail: Mail, rng: Random) -> Mail | None:
        text = _words(mail)
        return None if text is None else _with_words(mail, change(text, rng), rng)

    return changed


def _signed(text: str, rng: Random) -> str:
    return f"{text.rstrip()}\n\n-- \nInès\n{ORDERS}\n"


def _quoting(text: str, rng: Random) -> str:
    head = rng.choice((
        "Le lun. 7 déc. 2026 à 19:02, Pleine Lune <lune@jeu.example> a écrit :", "Le 07/12/2026 à 19:02, Pleine Lune a écrit :",
        "On Mon, Dec 7, 2026 at 7:02 PM Pleine Lune <lune@jeu.example> wrote:", "Pleine Lune <lune@jeu.example> a écrit :",
    ))  # fmt: skip
    mark = rng.choice(("> ", ">", ">> ", "> > "))
    return f"{text.rstrip()}\n\n{head}\n" + "\n".join(mark + line for line in ORDERS.split("\n")) + "\n"


def _forwarding(text: str, rng: Random) -> str:
    head = rng.choice((
        "-----Message d'origine-----\nDe : Pleine Lune", "---------- Forwarded message ---------\nDe : Pleine Lune", "Début du message transféré :\n",
        "De : Pleine Lune <lune@jeu.example>\nEnvoyé : lundi 7 décembre 2026 19:02\nÀ : Inès\nObjet : [PL1] Voter",
        "________________________________\nFrom: Pleine Lune <lune@jeu.example>\nSent: Monday, December 7, 2026\nTo: x\nSubject: y",
    ))  # fmt: skip
    return f"{text.rstrip()}\n\n{head}\n\n{ORDERS}\n"


def _invisible(text: str, rng: Random) -> str:
    marks = ("\u200b", "\u00ad", "\u2060", "\ufeff", "\u200e")
    out = list(text)
    for _ in range(rng.randint(1, 8)):
        out.insert(rng.randint(0, len(out)), rng.choice(marks))
    return "".join(out)


def _blanks(text: str, rng: Random) -> str:
    blank = rng.choice(("\u00a0", "\u202f", "\u2003", "\u3000"))
    return re.sub(r"(?<=\S) (?=\S)", lambda hit: blank if rng.random() < 0.5 else hit[0], text)


def _paged(mail: Mail, rng: Random) -> Mail | None:
    """The words as HTML alone, or beside the plain ones."""
    text = _words(mail)
    if text is None:
        return None
    page = "<html><body>" + html.escape(text, quote=False).replace("\n", "<br>\n") + "</body></html>"
    if rng.random() < 0.5:
        return _with_words(mail, page, rng, kind="text/html")
    parts = [_with_words(Mail((), b""), text, rng), _with_words(Mail((), b""), page, rng, kind="text/html")]
    return None if None in parts else _multipart(mail, [part.raw() for part in parts if part], rng, "alternative")


# ---- the shape of a mail


def _content(mail: Mail) -> bytes:
    """The mail's content as a part."""
    fields = tuple(field for field in mail.fields if field[0].lower().startswith(b"content-"))
    return Mail(fields, mail.body).raw() if fields else b"\r\n" + mail.body


def _multipart(mail: Mail, parts: list[bytes], rng: Random, kind: str) -> Mail:
    mark = f"=_f{rng.randrange(10**9)}".encode()
    body = b"".join(b"--" + mark + b"\r\n" + part + b"\r\n" for part in parts) + b"--" + mark + b"--\r\n"
    bare = replace(mail, fields=tuple(f for f in mail.fields if not f[0].lower().startswith(b"content-")))
    return replace(bare.put(b"Content-Type", f" multipart/{kind}; boundary=".encode() + b'"' + mark + b'"'), body=body)


def _attachment(rng: Random) -> bytes:
    words = ORDERS.encode().replace(b"\n", b"\r\n")
    return rng.choice((
        b'Content-Type: text/plain; charset=utf-8; name="a.txt"\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\n' + words,
        b'Content-Type: text/html; charset=utf-8\r\nContent-Disposition: attachment; filename="a.html"\r\n\r\n<p>' + words.replace(b"\r\n", b"<br>"),
        b"Content-Type: message/rfc822\r\n\r\nFrom: bruno@rond.example\r\nTo: lune@jeu.example\r\nSubject: [PL1] VOTER Bruno\r\n\r\n" + words,
        b"Content-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nSUMMARY:!voter Bruno\r\n" + words,
        b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=",
        b"Content-Type: application/pdf; name=a.pdf\r\n\r\n" + words,
    ))  # fmt: skip


def _attaching(mail: Mail, rng: Random) -> Mail:
    return _multipart(mail, [_content(mail), *(_attachment(rng) for _ in range(rng.randint(1, 3)))], rng, "mixed")


def _nested(mail: Mail, rng: Random) -> Mail:
    return _multipart(mail, [_content(mail)], rng, rng.choice(("mixed", "alternative", "signed", "related")))


def _subject_again(mail: Mail, rng: Random) -> Mail | None:
    """The same subject in other encoded words."""
    try:
        text = mail.get(b"subject").strip().decode("ascii")
    except UnicodeDecodeError:
        return None
    if "=?" in text or not text or "\r" in text:
        return None
    charset = rng.choice(("utf-8", "iso-8859-1", "cp1252"))
    words = [
        b"=?%s?B?%s?=" % (charset.encode(), base64.b64encode(text[at : at + 9].encode()))
        for at in range(0, len(text), 9)
    ]
    whole = Header(text, charset, maxlinelen=60, header_name="Subject").encode(linesep="\r\n").encode()
    return mail.put(b"Subject", b" " + rng.choice((b"\r\n ".join(words), whole)))


def _before_subject(*prefixes: bytes) -> Callable[[Mail, Random], Mail]:
    def changed(mail: Mail, rng: Random) -> Mail:
        return mail.put(b"Subject", b" " + rng.choice(prefixes) + mail.get(b"subject").lstrip())

    return changed


def _folded(mail: Mail, rng: Random) -> Mail:
    """Header lines folded at other blanks."""

    def again(name: bytes, value: bytes) -> bytes:
        if name.lower() in {b"subject", b"from", b"to"} or rng.random() < 0.5:
            return value
        return re.sub(rb"(?<=\S)[ \t]+(?=\S)", lambda hit: b"\r\n\t" if rng.random() < 0.3 else hit[0], value)

    return replace(mail, fields=tuple((name, again(name, value)) for name, value in mail.fields))


def _recased(mail: Mail, rng: Random) -> Mail:
    how = rng.choice((bytes.upper, bytes.lower, bytes.title))
    return replace(mail, fields=tuple((how(name), value) for name, value in mail.fields))


def _shuffled(mail: Mail, rng: Random) -> Mail:
    """What is no trace of the way, in another order."""
    trace = {b"received", b"authentication-results", b"return-path", b"delivered-to"}
    way = [field for field in mail.fields if field[0].lower() in trace]
    rest = [field for field in mail.fields if field[0].lower() not in trace]
    rng.shuffle(rest)
    return replace(mail, fields=(*way, *rest))


def _decked(mail: Mail, rng: Random) -> Mail:
    extra = rng.sample((
        (b"X-Spam-Status", b" No, score=-1.0"), (b"Importance", b" high"), (b"Precedence", b" list"), (b"Feedback-ID", b" 1:2:x"),
        (b"DKIM-Signature", b" v=1; d=agrume.example; b=abc"), (b"ARC-Authentication-Results", b" i=1; mx.jeu.example; dmarc=pass"),
        (b"Organization", b" !voter Bruno"), (b"Comments", b" !voter Bruno"), (b"X-Note", b" VOTER Bruno"), (b"Keywords", b" voter, Bruno"),
        (b"Thread-Topic", b" VOTER Bruno"), (b"Content-Language", b" fr"), (b"X-Mailer", b" Mail 1.0"), (b"Auto-Submitted", b" no"),
    ), rng.randint(1, 5))  # fmt: skip
    return replace(mail, fields=(*mail.fields, *extra))


def _ended(mail: Mail, rng: Random) -> Mail:
    """Other words below the end of a multipart, where nobody reads."""
    if not mail.get(b"content-type").strip().lower().startswith(b"multipart/") or not mail.body.rstrip().endswith(
        b"--"
    ):
        return mail
    return replace(mail, body=mail.body.rstrip() + b"\r\n" + ORDERS.encode().replace(b"\n", b"\r\n") + b"\r\n")


KEEPING: Final[dict[str, Callable[[Mail, Random], Mail | None]]] = {
    "recode": _on_words(lambda text, _: text), "sign": _on_words(_signed), "quote": _on_words(_quoting), "forward": _on_words(_forwarding),
    "invisible": _on_words(_invisible), "blanks": _on_words(_blanks), "page": _paged, "attach": _attaching, "nest": _nested,
    "subject": _subject_again, "mark": _before_subject(b"[EXT] ", b"[EXTERNE] ", b"***SPAM*** ", b"{Spam?} "), "fold": _folded, "case": _recased, "shuffle": _shuffled, "deck": _decked, "end": _ended,
}  # fmt: skip


BY_PERSONS: Final = {
    "prefix": _before_subject(b"Re: ", b"RE : ", b"TR: ", b"Fwd: ", b"Re: [EXTERNE] AW: ", b"SV: Re[2]: ")
}
"""Of a machine's mail these make a person's."""


# ---- somebody else's words


def _all_quoted(mail: Mail, rng: Random) -> Mail | None:
    text = _words(mail)
    if text is None:
        return None
    mark = rng.choice(("> ", ">", " > ", ">> "))
    quoted = "\n".join(mark + line for line in text.split("\n"))
    return _with_words(_plainly(mail), rng.choice(("", "Le 07/12/2026 à 19:02, X a écrit :\n")) + quoted, rng)


def _all_forwarded(mail: Mail, rng: Random) -> Mail | None:
    text = _words(mail)
    return None if text is None else _with_words(_plainly(mail), f"-----Message d'origine-----\nDe : X\n\n{text}", rng)


def _plainly(mail: Mail) -> Mail:
    """To the game, about nothing."""
    return (
        mail.put(b"Subject", b" Re: Jour 3")
        .put(b"To", b" lune@jeu.example")
        .put(b"Cc", b" x@y.example")
        .put(b"Delivered-To", b" lune@jeu.example")
    )


def _all_attached(mail: Mail, rng: Random) -> Mail:
    inner = b"Content-Type: message/rfc822\r\n\r\n" + mail.raw()
    return _multipart(_plainly(mail), [b"Content-Type: text/plain\r\n\r\nVoir ci-joint.", inner], rng, "mixed")


def _returned(mail: Mail, rng: Random) -> Mail:
    status = b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    parts = [b"\r\nUndelivered.\r\n" + ORDERS.encode(), status, b"Content-Type: message/rfc822\r\n\r\n" + mail.raw()]
    out = _multipart(_plainly(mail), parts, rng, "report")
    return out.put(b"Content-Type", out.get(b"content-type") + b"; report-type=delivery-status")


def _said_by(*signs: tuple[bytes, bytes]) -> Callable[[Mail, Random], Mail]:
    def signed(mail: Mail, rng: Random) -> Mail:
        name, value = rng.choice(signs)
        return mail.put(name, b" " + value)

    return signed


SILENCING: Final[dict[str, Callable[[Mail, Random], Mail | None]]] = {
    "all quoted": _all_quoted, "all forwarded": _all_forwarded, "all attached": _all_attached, "returned": _returned,
    "automatic": _said_by((b"Auto-Submitted", b"auto-replied"), (b"Auto-Submitted", b"auto-generated (x)"), (b"X-Autoreply", b"yes"), (b"Return-Path", b"<>"), (b"Precedence", b"auto_reply")),
    "bulk": _said_by((b"List-Id", b"<x.y.example>"), (b"List-Unsubscribe", b"<mailto:x@y.example>"), (b"Precedence", b"bulk"), (b"List-Post", b"<mailto:x@y>")),
    "own": _said_by((b"From", b"lune@jeu.example"), (b"From", b"Pleine Lune <LUNE+abc@jeu.example>")),
}  # fmt: skip


# ---- damage


def _hit(line: bytes, rng: Random) -> bytes:
    at, length = rng.randint(0, len(line)), rng.randint(0, 12)
    how = rng.randrange(8)
    if how == 0:
        return b""
    if how == 1:
        return line[:at]
    if how == 2:
        return line[:at] + rng.choice(JUNK) + line[at:]
    if how == 3:
        return line[:at] + line[at + length :]
    if how == 4:
        return line + b"\r\n" + line
    if how == 5:
        return line[:at] + rng.randbytes(rng.randint(1, 6)) + line[at:]
    if how == 6 and line:
        at = min(at, len(line) - 1)
        return line[:at] + bytes([line[at] ^ (1 << rng.randrange(8))]) + line[at + 1 :]
    return line[:at] + b"\r\n" + line[at:]


def damaged(raw: bytes, rng: Random) -> Mutant:
    """A few lines hit anywhere, now and then the end cut off."""
    lines = raw.split(b"\r\n")
    touched: set[int] = set()
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(lines))
        if at not in touched:
            lines[at] = _hit(lines[at], rng)
            touched.add(at)
    if rng.random() < 0.1:
        end = rng.randint(1, len(lines))
        touched |= set(range(end, len(lines)))
        lines = lines[:end]
    return Mutant(b"\r\n".join(lines), ("damage",), damaged=frozenset(touched))


def without(raw: bytes, touched: frozenset[int]) -> list[bytes]:
    """`raw` with touched lines gone, empty, nonsense, without their marks, or cut short: what damage may do.

    All of them, each alone, or all but one, for what one line marks may stand on another that was hit too.
    """
    lines = raw.split(b"\r\n")
    few = sorted(touched)[:20]
    subsets = [touched, *(frozenset({at}) for at in few), *(touched - {at} for at in few)]
    variants = [[line for at, line in enumerate(lines) if at not in subset] for subset in subsets]
    for instead in (lambda _: b"", lambda _: b"x", lambda line: re.sub(rb"^[^\w!]+", b"", line)):
        variants += [[instead(line) if at in some else line for at, line in enumerate(lines)] for some in subsets]
    for at in few:
        ends = [hit.start() for hit in re.finditer(rb"\W", lines[at])][:20]
        variants += [[*lines[:at], lines[at][:end], *lines[at + 1 :]] for end in ends]
    return [b"\r\n".join(variant) for variant in variants]


def mutate(raw: bytes, rng: Random, *, person: bool) -> Mutant:
    """One change, or several of the keeping sort and perhaps a silencing one above them. `person`: he wrote it."""
    keeping = KEEPING | BY_PERSONS if person else KEEPING
    mail = take_apart(raw)
    if mail is None or rng.random() < 0.4:
        return damaged(raw, rng)
    how: list[str] = []
    silent = False
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4))):
        name = rng.choice(sorted(keeping))
        changed = keeping[name](mail, rng)
        mail, how = (changed, [*how, name]) if changed is not None else (mail, how)
    if rng.random() < 0.35:
        name = rng.choice(sorted(SILENCING))
        changed = SILENCING[name](mail, rng)
        if changed is not None:
            mail, how, silent = changed, [*how, name], True
    out = mail.raw()
    if rng.random() < 0.1:
        out = out.replace(b"\r\n", rng.choice((b"\n", b"\r")))
        how.append("line ends")
    return Mutant(out, tuple(how), silent=silent)
