"""Who wrote a mail, as far as the receiving server can tell (MAIL.md § 4 (b); RFC 8601, RFC 7489, RFC 6376).

A From line proves nothing. `judge` believes only Authentication-Results that the game's own server wrote: those with
the configured authserv-id that stand above the Received of the host which took the mail from outside. Where the server
writes none, `mode="dkim"` checks the signatures itself. Personal tags, § 4 (a), are not looked at here.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import authres
import authres.core
import dkim
from publicsuffixlist import PublicSuffixList

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from authres.core import AuthenticationResult

    from pbem.post import Incoming

    DnsTxt = Callable[..., bytes | None]

Mode = Literal["results", "dkim", "tags-only"]

_SUFFIXES: Final = PublicSuffixList()
_MAX_FIELDS: Final = 200
_MAX_SIGNATURES: Final = 5
# A signed mail can be sent again below a second Subject or another Content-Type: what may stand once must.
_ONCE: Final = (
    "from",
    "subject",
    "date",
    "message-id",
    "content-type",
    "content-transfer-encoding",
    "mime-version",
    "to",
)
_MUST_SIGN: Final = ("from", "subject")


@dataclass(frozen=True, slots=True)
class Trust:
    """What the host trusts: the authserv-id of his server, the host in whose Received a mail arrived from outside (by
    default found by itself), and how to tell (`results`: Authentication-Results; `dkim`: own check; `tags-only`).
    """

    authserv_id: str | None
    received_host: str | None = None
    mode: Mode = "results"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`why` is one sentence. `signatures`: the aligned DKIM signatures (their `b=`); the same twice is a replay."""

    authentic: bool
    why: str
    signatures: tuple[str, ...] = ()


def judge(mail: Incoming, trust: Trust, raw: bytes | None = None, dns: DnsTxt | None = None) -> Verdict:
    """Whether `mail` comes from its single From address. `raw` and `dns` (`dkim`'s dnsfunc) serve mode `dkim` only.

    Never raises. The letter is authentic if DMARC passed, or DKIM or SPF passed for From's organisational domain.
    """
    if trust.mode == "tags-only":
        return Verdict(authentic=False, why="Only personal tags prove a sender here.")
    if len(mail.senders) != 1:
        return Verdict(authentic=False, why=f"It has {len(mail.senders) or 'no'} From addresses, not one.")
    doubled = _doubled(mail)
    if doubled:
        return Verdict(authentic=False, why=f"It has more than one {doubled} header.")
    domain = mail.senders[0].rpartition("@")[2]
    if trust.mode == "dkim":
        return _own_check(mail, domain, raw, dns)
    return _by_results(mail, domain, trust)


def _doubled(mail: Incoming) -> str | None:
    names = [name.lower() for name, _ in mail.headers]
    return next((name for name in _ONCE if names.count(name) > 1), None)


# -- Authentication-Results ------------------------------------------------------------------------------------------


def _by_results(mail: Incoming, domain: str, trust: Trust) -> Verdict:
    if not trust.authserv_id:
        return Verdict(authentic=False, why="No authserv-id is configured, so no Authentication-Results count.")
    headers = list(_trusted_headers(mail, trust))
    if not headers:
        return Verdict(
            authentic=False, why=f"No Authentication-Results of {trust.authserv_id} stand above its Received."
        )
    results = [result for header in headers for result in _results(header)]
    return _weigh(results, domain, mail)


def _weigh(results: list[AuthenticationResult], domain: str, mail: Incoming) -> Verdict:
    dmarc = [result for result in results if _method(result) == "dmarc"]
    if any(_result(result) == "fail" for result in dmarc):
        return Verdict(authentic=False, why="DMARC failed.")
    signed = _signatures(mail, domain)
    if dmarc and all(_result(result) == "pass" and _is_for(result, domain) for result in dmarc):
        return Verdict(authentic=True, why=f"DMARC passed for {domain}.", signatures=signed)
    for result in results:
        found = _aligned(result, domain)
        if found:
            return Verdict(authentic=True, why=f"{_method(result).upper()} passed for {found}.", signatures=signed)
    return Verdict(authentic=False, why=f"Neither DMARC, DKIM nor SPF passed for {domain}.")


def _method(result: AuthenticationResult) -> str:
    return str(result.method or "").lower()


def _result(result: AuthenticationResult) -> str:
    return str(result.result or "").lower()


def _properties(result: AuthenticationResult, *names: tuple[str, str]) -> list[str]:
    wanted = {f"{kind}.{name}" for kind, name in names}
    return [str(item.value or "") for item in result.properties or () if f"{item.type}.{item.name}".lower() in wanted]


def _is_for(result: AuthenticationResult, domain: str) -> bool:
    """Whether a DMARC result is about From's domain (a server that does not say means the only From there is)."""
    return all(value.rpartition("@")[2].lower() == domain for value in _properties(result, ("header", "from")))


def _aligned(result: AuthenticationResult, domain: str) -> str | None:
    """The domain for which DKIM or SPF passed, if it is aligned with `domain`."""
    if _result(result) != "pass":
        return None
    if _method(result) == "dkim":
        values = _properties(result, ("header", "d")) or _properties(result, ("header", "i"))
    elif _method(result) == "spf":
        values = _properties(result, ("smtp", "mailfrom"), ("smtp", "mail"), ("smtp", "envelope-from"))
    else:
        return None
    domains = [value.rpartition("@")[2].lower().rstrip(".") for value in values]
    return domains[0] if domains and all(aligned(other, domain) for other in domains) else None


def aligned(one: str, other: str) -> bool:
    """Relaxed alignment (RFC 7489 § 3.1): the two domains have one organisational domain."""
    return bool(one) and organisation(one) == organisation(other)


def organisation(domain: str) -> str:
    """The organisational domain: one label below the public suffix; a public suffix stands for itself."""
    domain = domain.lower().rstrip(".")[:255]
    return str(_SUFFIXES.privatesuffix(domain) or domain)


def _results(value: str) -> Iterator[AuthenticationResult]:
    """The results in one header's value; what the library cannot read is left out, clause by clause."""
    whole = value.strip().rstrip(";").replace("=<>", '=""')
    parsed = _parse(whole)
    if parsed is not None:
        yield from parsed.results
        return
    identifier, *clauses = clauses_of(whole)
    for clause in clauses:
        parsed = _parse(f"{identifier}; {clause.strip()}")
        if parsed is not None:
            yield from parsed.results


def _parse(value: str) -> authres.AuthenticationResultsHeader | None:
    try:
        return authres.AuthenticationResultsHeader.parse_value(value)
    except (authres.AuthResError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        return None


def clauses_of(value: str) -> list[str]:
    """`value` cut at semicolons that stand in neither quotes nor comments."""
    out, start, depth, quoted, escaped = [], 0, 0, False, False
    for at, char in enumerate(value):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = quoted or depth > 0
        elif char == '"' and not depth:
            quoted = not quoted
        elif not quoted and char in "()":
            depth = max(0, depth + (1 if char == "(" else -1))
        elif char == ";" and not quoted and not depth:
            out.append(value[start:at])
            start = at + 1
    return [*out, value[start:]]


# -- Where a header stands -------------------------------------------------------------------------------------------


def _trusted_headers(mail: Incoming, trust: Trust) -> Iterator[str]:
    """The values of Authentication-Results that the configured server wrote."""
    headers = mail.headers[: 10 * _MAX_FIELDS]
    end = _border(headers, trust)
    if end is None:
        return
    for name, value in headers[:end]:
        if name.lower() == "authentication-results" and _identifier(value) == (trust.authserv_id or "").lower():
            yield value


def _identifier(value: str) -> str:
    return uncommented(clauses_of(value)[0]).strip().strip('"').split(" ", 1)[0].lower()


def _border(headers: tuple[tuple[str, str], ...], trust: Trust) -> int | None:
    """The index of the Received above which headers are the server's own; None if the configured host has none."""
    host = (trust.received_host or "").lower()
    local = {host, (trust.authserv_id or "").lower()} - {""}
    for at, (name, value) in enumerate(headers):
        if name.lower() != "received":
            continue
        by, inside = _received(value)
        if (inside and by in local) or (host and by != host):
            continue
        return at
    return None if host else len(headers)


def _received(value: str) -> tuple[str, bool]:
    """Of a Received: the host after `by`, and whether it is a delivery on that host itself.

    That is LMTP, a local hand-over, or SMTP from a loopback address. What a stranger could write into it (HELO,
    addresses) cannot make it so: quotes, addresses and comments do not count, and of two `by` none does.
    """
    stamp = re.sub(r'"[^"]*"|<[^>]*>', " ", value[:3000])
    plain = f" {uncommented(stamp)} ".lower()
    hosts = re.findall(r"\sby\s+([^\s;]+)", plain)
    if len(hosts) != 1:
        return (hosts[-1] if hosts else ""), False
    giver, _, taken = plain.partition(" by ")
    protocol = next(iter(re.findall(r"\swith\s+([^\s;]+)", taken)), "")
    nobody = not re.search(r"(?:^|\s)from\s", giver)
    inside = _from_loopback(value[:3000].lower()) or protocol.startswith("lmtp") or protocol == "local"
    return hosts[0], inside or (nobody and bool(protocol))


def _from_loopback(stamp: str) -> bool:
    """Whether a Received, in lower case, says that a loopback address gave the mail.

    Servers write the address in brackets, in parentheses or bare, and the HELO before or behind it. So another address
    anywhere before the last `by` speaks against it, and a HELO for nothing. Exim alone puts the address first, and then
    tells the HELO or the port behind it; a mail's first word is else what the giver called himself.
    """
    before = re.split(r"\sby\s", stamp)[:-1]
    giver = " by ".join(before).strip()
    if not all(_is_loopback(found) for found in _ips(giver)):
        return False
    told = re.sub(r"\b(?:helo|ehlo)(?:\s+|=)[^\s)]*", " ", giver)
    by_exim = re.match(r"from\s+\[[0-9a-f.:]+\](?::\d+)?\s+\((?:port|helo)=", giver)
    return bool(_ips(told if by_exim else re.sub(r"^from\s+\S+", " ", told)))


def _ips(text: str) -> list[str]:
    """What looks like an IP address in `text` (lower case), names that begin or end with one included."""
    sixes = [word.removeprefix("ipv6:") for word in re.split(r"[^0-9a-z.:%]+", text) if word.count(":") > 1]
    return [*re.findall(r"\d{1,3}(?:\.\d{1,3}){3}", text), *sixes]


def _is_loopback(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback


def uncommented(value: str) -> str:
    """`value` without parenthesised comments, nested ones included."""
    out, depth = [], 0
    for char in value:
        if char == "(":
            depth += 1
        elif char == ")" and depth:
            depth -= 1
        elif not depth:
            out.append(char)
    return "".join(out)


# -- Own check of DKIM -----------------------------------------------------------------------------------------------


def _signature_fields(mail: Incoming) -> Iterator[dict[str, str]]:
    for name, value in mail.headers:
        if name.lower() == "dkim-signature":
            pairs = (item.partition("=") for item in value[:8000].split(";"))
            yield {key.strip().lower(): "".join(text.split()) for key, equals, text in pairs if equals}


def _signatures(mail: Incoming, domain: str) -> tuple[str, ...]:
    """The `b=` of the signatures aligned with `domain`, shortened: enough to know one again."""
    return tuple(
        tags["b"][:64] for tags in _signature_fields(mail) if tags.get("b") and aligned(tags.get("d", ""), domain)
    )


def _own_check(mail: Incoming, domain: str, raw: bytes | None, dns: DnsTxt | None) -> Verdict:
    if raw is None:
        return Verdict(authentic=False, why="The mail's bytes are not at hand to check its signature.")
    for at, tags in enumerate(_signature_fields(mail)):
        if at >= _MAX_SIGNATURES:
            break
        if not aligned(tags.get("d", ""), domain) or "l" in tags or not _signs_enough(tags):
            continue
        if _verifies(raw, at, dns):
            kept = (tags.get("b", "")[:64],)
            return Verdict(authentic=True, why=f"Its DKIM signature of {tags['d']} is good.", signatures=kept)
    return Verdict(
        authentic=False, why=f"It has no good DKIM signature of {domain} over From, Subject and the whole body."
    )


def _signs_enough(tags: dict[str, str]) -> bool:
    signed: Iterable[str] = tags.get("h", "").lower().split(":")
    return set(_MUST_SIGN) <= set(signed)


def _verifies(raw: bytes, index: int, dns: DnsTxt | None) -> bool:
    try:
        checker = dkim.DKIM(raw, minkey=1024, timeout=5)
        return bool(checker.verify(index, dnsfunc=dns) if dns else checker.verify(index))
    except Exception:  # noqa: BLE001 - the library raises far more than it names, on bytes a stranger chose
        return False
