"""`pbem mail send` and `pbem mail read`: two small mail programs for the people of the embedded post office."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import email
import email.message
import email.policy
import email.utils
import imaplib
import json
import re
import smtplib
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from pbem.cli.screen import ConfigOption, JsonOption, fail, load, out, say, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.settings import Settings

app = typer.Typer(
    help="Write and read mails as anybody of the embedded post office, from the terminal.",
    epilog="Example: pbem mail send --from alice@village.example --subject '[PL1] JOIN Alice'; pbem mail read alice",
    no_args_is_help=True,
)
_ADDRESS = re.compile(r"[!-~]{1,64}@[A-Za-z0-9.-]{1,255}")
_SECONDS = 20.0
_AGAIN = 0.3


def _embedded(settings: Settings) -> None:
    if not settings.embedded.enabled:
        fail(
            f"{settings.origin}: embedded.enabled = false: expected true; these commands serve the embedded post office"
        )


def _ports(settings: Settings) -> tuple[int, int]:
    """(SMTP, IMAP). Where the configuration says "any free port", the running program has noted which."""
    found = noted_ports(settings)
    return found if all(found) else fail("the post office does not answer: is pbem run running?", 1)


def noted_ports(settings: Settings) -> tuple[int, int]:
    """(SMTP, IMAP) of the embedded post office; zeros if it has never run. Raises StoreError."""
    where = settings.embedded
    if where.smtp_port and where.imap_port:
        return where.smtp_port, where.imap_port
    from pbem import wiring  # noqa: PLC0415  (it loads much)

    try:
        kept = wiring.store(settings, make=False)
    except wiring.NoDatabaseError:
        return 0, 0
    try:
        with kept.read() as tx:
            noted = json.loads(tx.get("ports") or "{}")
    finally:
        kept.close()
    return int(noted.get("smtp", 0)), int(noted.get("imap", 0))


def _address(settings: Settings, name: str) -> str:
    address = name if "@" in name else f"{name}@{settings.game.domain}"
    if not _ADDRESS.fullmatch(address):
        fail(f"{name!a}: expected a name or an address, such as anna or anna@{settings.game.domain}")
    return address


def _password(settings: Settings, address: str) -> str | None:
    account = address.partition("@")[0].partition("+")[0] + "@" + address.partition("@")[2]
    try:
        known: dict[str, str] = json.loads((settings.embedded.maildirs / "passwords.json").read_text("utf-8"))
    except FileNotFoundError:
        return None
    return known.get(account.lower())


@contextmanager
def _smtp(settings: Settings) -> Iterator[smtplib.SMTP]:
    try:
        with smtplib.SMTP(
            settings.embedded.host, _ports(settings)[0], local_hostname="localhost", timeout=_SECONDS
        ) as post:
            yield post
    except smtplib.SMTPAuthenticationError:
        where = f"{settings.embedded.host}:{_ports(settings)[0]}"
        fail(f"the post office on {where} is another folder's: is pbem run running with {settings.origin}?", 1)
    except smtplib.SMTPResponseException as error:
        fail(f"the post office refuses: {_words(error.smtp_error)}", 1)
    except smtplib.SMTPRecipientsRefused as error:
        fail("; ".join(f"{to}: {_words(text)}" for to, (_, text) in error.recipients.items()), 1)
    except (OSError, smtplib.SMTPException):
        fail("the post office does not answer: is pbem run running?", 1)


def _words(text: bytes | str) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def _login(settings: Settings, post: smtplib.SMTP, address: str) -> None:
    """Log in; whoever has no mailbox yet gets one, as somebody does to whom a mail is sent."""
    post.ehlo()
    if _password(settings, address) is None:
        post.mail(address)
        code, text = post.rcpt(address)
        post.rset()
        if code != 250:  # noqa: PLR2004  (SMTP's yes)
            fail(f"--from {address}: {_words(text)}")
    post.login(address, _password(settings, address) or "")


@app.command(epilog="Example: echo 'Bonsoir.' | pbem mail send --from alice --subject '[PL1] SAY' --body -")
def send(
    sender: Annotated[
        str, typer.Option("--from", help="Who writes; without @, of the game's domain.", show_default=False)
    ],
    subject: Annotated[str, typer.Option(help="The subject: a command, mostly.")] = "",
    to: Annotated[list[str] | None, typer.Option(help="Whom to; else the game.", show_default=False)] = None,
    cc: Annotated[list[str] | None, typer.Option(help="May be repeated.", show_default=False)] = None,
    body: Annotated[str, typer.Option(help="The text; - reads it from standard input.")] = "",
    reply_to: Annotated[
        int | None, typer.Option(metavar="N", help="Answer mail number N of pbem mail read.", show_default=False)
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Write a mail, to the game if to nobody else."""
    settings = load(config)
    _embedded(settings)
    sender = _address(settings, sender)
    mail = email.message.EmailMessage()
    answered = _fetch(settings, sender, number=reply_to)[0] if reply_to is not None else None
    recipients = [_address(settings, name) for name in to or []] or [_answer_to(answered) or settings.game.address]
    mail["From"], mail["To"] = sender, ", ".join(recipients)
    copied = [_address(settings, name) for name in cc or []]
    if copied:
        mail["Cc"] = ", ".join(copied)
    mail["Subject"] = " ".join((subject or _re(answered)).split())
    mail["Date"], mail["Message-ID"] = email.utils.localtime(), email.utils.make_msgid(domain=settings.game.domain)
    if answered is not None and answered["message"]["Message-ID"]:
        mail["In-Reply-To"] = mail["References"] = str(answered["message"]["Message-ID"]).strip()
    mail.set_content((sys.stdin.read() if body == "-" else body) or "\n")
    with _smtp(settings) as post:
        _login(settings, post, sender)
        # not `send_message`, which makes ">From" of a line that begins with "From"
        post.sendmail(sender, [*recipients, *copied], mail.as_bytes(policy=email.policy.SMTP))
    say(f"Sent to {escape(', '.join(recipients))}: {escape(str(mail['Subject']))}")


def _answer_to(answered: dict[str, Any] | None) -> str | None:
    if answered is None:
        return None
    message = answered["message"]
    return email.utils.parseaddr(str(message["Reply-To"] or message["From"] or ""))[1] or None


def _re(answered: dict[str, Any] | None) -> str:
    return "" if answered is None else f"Re: {answered['message']['Subject'] or ''}"


@app.command(
    epilog="Example: pbem mail read alice   (the new ones);   pbem mail read alice --all;   pbem mail read alice 3"
)
def read(
    who: Annotated[str, typer.Argument(help="Whose mailbox; without @, of the game's domain.", show_default=False)],
    number: Annotated[int | None, typer.Argument(help="Show this mail in full.", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all", help="List all mails, the old ones too.")] = False,
    wait: Annotated[
        float, typer.Option(min=0, max=3600, help="If there is no new mail: so many seconds for one to come.")
    ] = 5.0,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read the new mails of somebody's mailbox in full, one mail, or the list of all."""
    settings = load(config)
    _embedded(settings)
    address = _address(settings, who)
    found = _fetch(settings, address, number=number, every=every)
    ends = time.monotonic() + (0 if every or number is not None else wait)
    while not found and time.monotonic() < ends:  # an answer takes the program about a second
        time.sleep(_AGAIN)
        found = _fetch(settings, address)
    if as_json:
        write_json([_as_json(mail) for mail in found])
    elif every and number is None:
        out.print(_list(found))
    else:
        for mail in found:
            _show(mail)
        if not found:
            say(f"No new mail for {escape(address)}.")


def _fetch(settings: Settings, address: str, *, number: int | None = None, every: bool = False) -> list[dict[str, Any]]:
    """The mails, oldest first, as {number, message}; those shown in full are marked as read."""
    password = _password(settings, address)
    if password is None:
        fail(f"{address} has no mailbox here yet: one is made with the first mail from or to it", 1)
    try:
        with imaplib.IMAP4(settings.embedded.host, _ports(settings)[1], timeout=_SECONDS) as box:
            box.login(address, password)
            box.select("INBOX")
            wanted = _numbers(box, "ALL") if every else _numbers(box, "UNSEEN")
            if number is not None:
                wanted = (
                    [number] if number in _numbers(box, "ALL") else fail(f"{address} has no mail number {number}", 1)
                )
            return [{"number": n, "message": _message(box, n, peek=every)} for n in wanted]
    except (OSError, imaplib.IMAP4.error):
        fail("the post office does not answer: is pbem run running?", 1)


def _numbers(box: imaplib.IMAP4, which: str) -> list[int]:
    return [int(word) for word in (box.search(None, which)[1][0] or b"").split()]


def _message(box: imaplib.IMAP4, number: int, *, peek: bool) -> email.message.EmailMessage:
    parts = box.fetch(str(number), "(BODY.PEEK[])" if peek else "(BODY[])")[1]
    raw = next((part[1] for part in parts if isinstance(part, tuple)), b"")
    return email.message_from_bytes(raw, policy=email.policy.default)  # type: ignore[return-value,unused-ignore]


def _text(message: email.message.EmailMessage) -> str:
    body = message.get_body(("plain", "html"))
    return str(body.get_content()) if body is not None else ""


def _as_json(mail: dict[str, Any]) -> dict[str, Any]:
    message = mail["message"]
    heads = {
        name.lower().replace("-", "_"): str(message[name] or "")
        for name in ("From", "To", "Subject", "Date", "Reply-To")
    }
    return {"number": mail["number"], **heads, "text": _text(message)}


def _list(mails: list[dict[str, Any]]) -> Table:
    table = Table("No.", "Date", "From", "Subject", box=None, header_style="bold")
    for mail in mails:
        message = mail["message"]
        name, address = email.utils.parseaddr(str(message["From"] or ""))
        cells = (_moment(message), name or address, str(message["Subject"] or ""))
        table.add_row(str(mail["number"]), *map(escape, cells))
    return table


def _moment(message: email.message.EmailMessage) -> str:
    """Its date on this machine's clock, short; as it stands there if it is none."""
    told = str(message["Date"] or "")
    try:
        return f"{email.utils.parsedate_to_datetime(told).astimezone():%a %d %b %H:%M}"
    except (ValueError, OverflowError):
        return told


def _show(mail: dict[str, Any]) -> None:
    message = mail["message"]
    heads = "\n".join(
        f"[bold]{name}:[/] {escape(str(message[name]))}" for name in ("From", "To", "Date", "Subject") if message[name]
    )
    out.print(Panel(heads, title=f"No. {mail['number']}", title_align="left"))
    out.print(_text(message), markup=False, soft_wrap=True)
