"""What sort of mail it is, before anybody looks for commands in it: MAIL.md § 7, in the order given there.

`automatic` answers for the kinds that have no effect and get no answer (§ 5); the others follow from what is read.
Headers decide; the wording of subject and body only where real programs send no header that tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.orders.house import House
    from pbem.post import Incoming


@dataclass(frozen=True, slots=True)
class Sign:
    """A kind, and the sentence that says why."""

    kind: str
    why: str


class Headers:
    """A mail's headers by name (lower case), folded values."""

    def __init__(self, mail: Incoming) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in mail.headers:
            self._values.setdefault(name.lower(), []).append(fold(value[:2000]))

    def get(self, name: str) -> str:
        """The first value, '' without one."""
        return self._values.get(name, [""])[0]

    def all(self, name: str) -> list[str]:
        """Every value in order."""
        return self._values.get(name, [])

    def has(self, *names: str) -> bool:
        """Whether one of the headers is there."""
        return any(name in self._values for name in names)


_DAEMON: Final = re.compile(
    r"^(?:mailer[-_.]?daemon|mail[-_.]?daemon|po+stmaster|mdaemon|mailerdaemon|mail[-_.]?delivery|mail[-_.]?deliver(?:er)?|bounces?|mailer"
    r"|mmdf|maildelivery|delivery|dsn|ndr|non-?delivery|mta|mail-?system|smtp-?daemon|amavis|undeliver(?:ed|able)|no-?reply-?bounce)(?:[-+_.].{0,60})?$"
)
_BOUNCE_NAME: Final = re.compile(
    r"mail delivery (?:sub)?system|mail administrator|mailer-daemon|delivery (?:subsystem|status|failure)|mail router|system administrator"
    r"|administrateur systeme|microsoft outlook$|postmaster|internet mail delivery|mail delivery service|poste de reception du systeme"
)
_BOUNCE_SUBJECT: Final = re.compile(
    r"^(?:\W{0,4}(?:re|fwd?|tr) ?: ?)?\W{0,6}(?:undeliver(?:able|ed)|non[- ]?remis(?: ?:|$)|non distribuable|non delivre|message non (?:remis|distribue|delivre)"
    r"|mail delivery (?:failed|failure|status|problem|system|error)|mail (?:could not be|not) delivered|delivery (?:status notification|failure|has failed|report|notification|delayed|problem|incomplete|error|unsuccessful)"
    r"|returned mail|returned to sender|failure notice|failed mail|failure delivery|delivery to .{0,80}failed|nondeliverable|non[- ]?delivery"
    r"|undelivered mail|unzustellbar|nicht zustellbar|unzustellbarkeitsbericht|zustellung fehlgeschlagen|fehlgeschlagene zustellung|rapport de non[- ](?:remise|distribution|livraison)"
    r"|echec de (?:la )?(?:remise|distribution|livraison|l'envoi|delivrance)|retour (?:de|du) (?:courrier|mail|message)|avis de non[- ](?:remise|distribution|livraison)"
    r"|notification (?:d'etat de (?:remise|distribution|livraison)|de (?:remise|distribution))|courrier non (?:distribue|remis|delivre)|mancata consegna|non recapitabile|impossibile recapitare"
    r"|no se puede entregar|no entregado|devolucion de correo|correo no entregado|nao (?:entregue|foi possivel entregar)|onbestelbaar|niet bezorgd|olevererbart|kan inte levereras|kunne ikke leveres"
    r"|niedostarczon|nie mozna dostarczyc|недоставленное|не доставлено|сообщение не доставлено|delayed mail|warning: (?:could not send|message delayed|message still undelivered)|message delay(?:ed)?"
    r"|remise (?:retardee|differee)|retarde? ?:|mail system error|message (?:status|could not be delivered|undeliverable|you sent blocked|not delivered|delivery failure|not accepted)"
    r"|your (?:e-?mail|message) (?:could not|was not|has not|cannot)|postmaster notify|delivery failed|unable to deliver|user unknown|mailbox (?:full|unavailable|not found)|dsn ?:|permanent delivery failure"
    r"|mail undeliverable|message blocked|banned (?:or|file)|considered (?:unsolicited|spam)|rejected mail|your mail .{0,40}(?:rejected|blocked)|undelivered message)"
)
_BOUNCE_BODY: Final = re.compile(
    r"hi\. this is the (?:qmail-send|deliver) program|this is the mail system at host|this message was created automatically by (?:the )?mail (?:delivery software|system)"
    r"|----- the following addresses had|permanent fatal errors|could not be delivered to (?:one or more|the following)|the following (?:recipient|address|message).{0,40}(?:could not|cannot|failed|were not)"
    r"|delivery to the following recipients? (?:has )?failed|did not reach the following recipient|n'a pas pu etre (?:remis|delivre|distribue|achemine)|votre message n'a pas (?:pu )?(?:ete|etre) (?:remis|delivre|distribue)"
    r"|n'est pas parvenu (?:a|au)|message ne vous est pas revenu|impossible de remettre|i(?:'m| am) sorry to have to inform you|i'm afraid i wasn't able to deliver|was undeliverable|was not delivered to"
    r"|this report relates to a message you sent|konnte nicht zugestellt werden|address not found|adresse introuvable|your message (?:wasn't|was not|couldn't be|could not be) delivered|transcript of session follows"
    r"|\b5\d\d[ -]5\.\d\.\d{1,3}\b|recipient address rejected|(?:user|recipient|mailbox) (?:unknown|not found|unavailable)"
)
_AUTO_HEADERS: Final = (
    "x-autoreply", "x-autorespond", "x-autoreply-from", "x-auto-reply", "x-auto-response", "x-autoresponder", "x-auto-reply-from", "x-autogenerated",
    "x-autoreply-to", "x-mail-autoreply", "x-mail-filter-autoreply", "x-sieve-vacation", "x-vacation", "x-away-message", "x-cron-env",
    "x-autoresponse-to", "x-exim-vacation", "auto-reply", "x-zimbra-outofoffice", "x-amazon-auto-reply", "x-lotus-oof", "x-ooo-reply",
)  # fmt: skip
_AUTO_SUBJECT: Final = re.compile(
    r"^\W{0,4}(?:reponse automatique|rep(?:onse)? auto(?:matique)?|message automatique|notification d'absence|message d'absence|avis d'absence|absence du bureau"
    r"|absente?(?:e?s?)? du bureau|absences?(?: ?:|$| [-–(]| jusqu| du \d)|absente? ?:|en conges?(?: ?:|$| jusqu| du \d)|conges? ?:|hors (?:du |de )?bureau|je suis (?:absente?|en conges?|en vacances)|repondeur"
    r"|automatic reply|automatic response|auto(?:mated)?[- :]?(?:reply|response|responder)|autoreply|autorespon|auto ?: |out[- ]of[- ](?:the[- ])?office|ooo\b|ooto\b|away from|on (?:vacation|holiday|leave)"
    r"|vacation (?:reply|message|notice)|i(?:'m| am) (?:away|out of|on (?:vacation|leave|holiday))|abwesenheit|automatische antwort|abwesend|nicht im (?:buro|haus)|risposta automatica|fuori (?:sede|ufficio)|assenza"
    r"|respuesta automatica|fuera de (?:la )?oficina|ausencia|ausente|resposta automatica|fora do escritorio|automatisch antwoord|automatische reactie|afwezig|niet op kantoor|autosvar|automatiskt svar|automatisk svar|fravaer"
    r"|franvaro|fravaersmelding|odpowiedz automatyczna|automatyczna odpowiedz|poza biurem|automaattinen vastaus|poissa|автоответ|автоматический ответ|自动回复|自動回覆|自動返信|自动答复|自動応答|자동 ?회신|자동 ?응답|otomatik yanit"
    r"|automatikus valasz|automaticka odpoved|automaticka odpoved|raspuns automat|accuse de reception|acknowledg(?:e)?ment of receipt|votre (?:demande|message|e-?mail) a (?:bien )?ete (?:recue?|enregistre))"
)
_AUTO_BODY: Final = re.compile(
    r"^\W{0,6}(?:ceci est une? (?:reponse|message) automatique|this is an? (?:auto|automatic|automated)[- ]?(?:reply|response|ally generated|ated|message)|diese (?:e-?mail|nachricht) wurde automatisch"
    r"|message (?:genere|envoye) automatiquement|\[?(?:auto-?reply|automatic reply|reponse automatique)\]?)"
)
_RECEIPT_SUBJECT: Final = re.compile(
    r"^\W{0,4}(?:read ?: |lue?s? ?: |non lue?s? ?: |not read ?: |gelesen ?: |ungelesen ?: |letto ?: |non letto ?: |leido ?: |no leido ?: |lida ?: |lido ?: |gelezen ?: |niet gelezen ?: |last ?: |laest ?: |lest ?: |przeczytano ?: |прочтено ?: "
    r"|(?:return|read) receipt|accuse de lecture|confirmation de lecture|lesebestatigung|empfangsbestatigung|conferma di lettura|ricevuta di ritorno|confirmacion de lectura|leesbevestiging|deleted ?: |supprime ?: |recu ?: |accuse de reception \(affich|disposition notification)"
)
_RECEIPT_BODY: Final = re.compile(
    r"(?:a ete (?:lu|affiche|supprime sans|ouvert)|was (?:read|displayed|deleted without being read|opened)|wurde (?:gelesen|angezeigt|am .{0,40}gelesen|ungelesen geloscht)|e stato (?:letto|visualizzato)"
    r"|fue leido|ha sido leido|foi lida|is gelezen|cet accuse de reception|this is (?:a|the) return receipt|return receipt (?:displayed|only)|accuse de lecture|lesebestatigung|this receipt verifies|read receipt)"
)


def automatic(mail: Incoming, house: House) -> Sign | None:
    """The sign that a machine, or the game itself, sent the mail; None if a person may have."""
    headers = Headers(mail)
    checks: tuple[Callable[[Incoming, Headers, House], str | None], ...] = (_own, _receipt, _bounce, _auto_reply, _bulk)
    kinds = ("own", "receipt", "bounce", "auto-reply", "bulk")
    for kind, check in zip(kinds, checks, strict=True):
        why = check(mail, headers, house)
        if why:
            return Sign(kind, why)
    return None


def _own(mail: Incoming, _headers: Headers, house: House) -> str | None:
    if any(house.is_mine(address) for address in mail.senders):
        return "it comes from the game's own address"
    return None


def _types(mail: Incoming) -> tuple[str, ...]:
    return mail.content_types[:40]


def _report(mail: Incoming) -> str | None:
    """The report-type of a multipart/report, '' if it has none, None if it is no report."""
    kind = next((kind for kind in _types(mail)[:3] if kind.startswith("multipart/report")), None)
    return kind.partition("report-type=")[2] if kind else None


def _receipt(mail: Incoming, headers: Headers, _house: House) -> str | None:
    if _report(mail) == "disposition-notification" or "message/disposition-notification" in _types(mail):
        return "it is a read receipt (MDN)"
    if _report(mail) in {None, ""} and _RECEIPT_SUBJECT.match(fold(mail.subject[:300])):
        body = fold((mail.text or "")[:2000])
        if _RECEIPT_BODY.search(body) or headers.get("content-type").startswith("multipart/report"):
            return "subject and text are those of a read receipt"
    return None


def _bounce(mail: Incoming, headers: Headers, _house: House) -> str | None:
    types = _types(mail)
    report = _report(mail)
    if report in {"delivery-status", "feedback-report"} or {"message/delivery-status", "message/global-delivery-status"} & set(types):
        return "it is a delivery report (RFC 3464)"
    if "message/feedback-report" in types:
        return "it is an abuse complaint (RFC 5965)"
    if headers.has("x-failed-recipients"):
        return "it names failed recipients"
    score, why = _bounce_signs(mail, headers)
    return f"it is a delivery report: {why}" if score >= 2 else None


def _bounce_signs(mail: Incoming, headers: Headers) -> tuple[int, str]:
    """How many independent signs of a bounce without RFC 3464 there are, and which."""
    body = fold((mail.text or "")[:6000])
    raw_from = headers.get("from")
    locals_ = [address.split("@")[0] for address in mail.senders] or [raw_from.strip(" <>\"'") or "mailer-daemon"]
    subject = fold(mail.subject[:300])
    signs = []
    if any(_DAEMON.match(local) for local in locals_) or _BOUNCE_NAME.search(fold(mail.sender_name[:100])):
        signs.append("a mail daemon sent it")
    if _BOUNCE_SUBJECT.match(subject):
        signs.append("its subject says so")
    if _BOUNCE_BODY.search(body):
        signs.append("its text says so")
    if headers.has("return-path") and headers.get("return-path") in {"<>", ""}:
        signs.append("it has an empty return path")
    if _report(mail) == "" and "message/rfc822" in _types(mail):
        signs.append("it returns a message")
    weight = len(signs)
    if weight == 2 and signs == ["its text says so", "it has an empty return path"] and _AUTO_SUBJECT.match(subject):
        weight = 1
    if "its subject says so" not in signs and "a mail daemon sent it" not in signs and weight < 3:
        weight = min(weight, 1) if not ("its text says so" in signs and "it has an empty return path" in signs) else weight
    return weight, " and ".join(signs)


def _auto_reply(mail: Incoming, headers: Headers, _house: House) -> str | None:
    for value in headers.all("auto-submitted"):
        if value and not re.match(r"no(?:$|[\s;(])", value):
            return f"it says Auto-Submitted: {value[:40]}"
    found = next((name for name in _AUTO_HEADERS if headers.has(name) and headers.get(name) not in {"no", "false"}), None)
    if found:
        return f"it has the header {found}"
    if re.match(r"auto[-_ ]?(?:reply|replied|response|generated)|vacation", headers.get("precedence")):
        return "its precedence is that of an automatic reply"
    if headers.has("x-ms-exchange-inbox-rules-loop", "x-ms-exchange-generated-message-source") and _oof(mail, headers):
        return "Exchange's rules wrote it"
    if re.search(r"\b(?:vacation|autorespon|auto-?reply|autoanswer|out ?of ?office)", headers.get("x-mailer") + " " + headers.get("user-agent")):
        return "a program for automatic replies wrote it"
    if _AUTO_SUBJECT.match(fold(mail.subject[:300])):
        return "its subject is that of an automatic reply"
    if _AUTO_BODY.match(fold((mail.text or "")[:300])):
        return "its text says that it is automatic"
    if headers.get("return-path") == "<>" and headers.has("return-path"):
        return "it has an empty return path, so a machine sent it"
    return None


def _oof(mail: Incoming, headers: Headers) -> bool:
    return headers.has("x-auto-response-suppress") or headers.get("return-path") == "<>" or bool(_AUTO_SUBJECT.match(fold(mail.subject[:300])))


def _bulk(mail: Incoming, headers: Headers, _house: House) -> str | None:
    found = next((name for name in ("list-id", "list-post", "list-unsubscribe") if headers.has(name)), None)
    if found:
        return f"it has the header {found}"
    value = headers.get("precedence")
    if value in {"bulk", "junk"}:
        return f"its precedence is {value}"
    return None
