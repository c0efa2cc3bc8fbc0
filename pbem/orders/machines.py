"""How machines speak: senders, subjects and texts of bounces, automatic replies and read receipts, as data.

Everything is matched against folded text (lower case, no accents). One alternative a line; a `$`, a colon or a blank
at its end keeps it from matching what a person might begin with the same words.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.orders.words import alternatives

DAEMON: Final = re.compile(r"^(?:mailer[-_.]?daemon|mail[-_.]?daemon|mdaemon|mmdf)(?:[-+_.].{0,60})?$")
"""A local part that only mail servers have."""
SERVICE: Final = re.compile(
    r"^(?:po+st[-_]?master|mail[-_.]?deliver(?:y|er)?|bounces?|mailer|delivery|dsn|ndr|non-?delivery|mta|mail-?system|smtp-?daemon"
    r"|amavis|undeliver(?:ed|able)|no-?reply-?bounce|sysadmin|mail-?admin|autoanswer|mailgate|mailscanner)(?:[-+_.].{0,60})?$"
)
"""A local part that mail servers have, and now and then a person."""
SERVICE_NAME: Final = re.compile(
    alternatives(
        r"""
        mail delivery (?:sub)?(?:system|service)
        mail administrator
        mail(?:er)?[- ]daemon
        delivery (?:subsystem|status|failure)
        mail router
        mail system
        (?:mail )?system administrator
        administrateur systeme
        sous-systeme de remise
        microsoft outlook$
        postmaster
        internet mail delivery
        mail gateway
        message transfer agent
        """
    )
)

_MAIL: Final = r"(?:e-?mail|mail|message|courriel|courrier)"
BOUNCE_SUBJECT: Final = re.compile(
    r"^\W{0,6}(?:\[(?:postmaster|bounce|spam|ext|external)\]\W{0,4})?(?:"
    + alternatives(
        rf"""
        undeliver(?:able|ed)\b
        undelivrable|undeliverd
        non[- ]?(?:remis|distribue|delivre|distribuable)(?: ?:|$)
        {_MAIL} non (?:remis|distribue|delivre|distribuable)
        (?:e-?mail |mail |message )?delivery (?:failed|failure|status|problem|error|has failed|report)
        (?:e-?mail |mail |message )?delivery (?:delayed|incomplete|unsuccessful|warning)
        (?:e-?mail |mail |message )?delivery (?:notification|system|subsystem)\b
        delivery_failure
        {_MAIL} (?:failure|system error|error|failed|undeliverable|undelivered)\b
        {_MAIL} (?:refused|rejected|blocked|quarantined|returned|bounced)\b
        {_MAIL} (?:could not|can ?not|was not|not) (?:be )?(?:delivered|accepted)
        {_MAIL} you sent blocked
        returned (?:mail|message|e-?mail|to sender)
        failure (?:notice|delivery|notification)
        failed (?:mail|delivery|message)
        delivery to .{{0,80}}failed
        non[- ]?deliver(?:y|able|ed)
        notice: ?{_MAIL} delivery
        unzustellbar|nicht zustellbar|zustellung fehlgeschlagen|fehlgeschlagene zustellung|zustellungsfehler
        rapport de non[- ](?:remise|distribution|livraison)
        avis de non[- ](?:remise|distribution|livraison)
        echec (?:de|d') ?(?:la )?(?:remise|distribution|livraison|l'envoi|envoi|delivrance|votre)
        retour (?:de|du|a l')? ?(?:courrier|mail|message|expediteur|envoyeur)
        notification (?:d'etat de (?:remise|distribution|livraison)|de (?:remise|distribution|non))
        (?:votre )?{_MAIL} (?:n'a pas|retourne|rejete|refuse|bloque)
        remise (?:retardee|differee|impossible)|retarde? ?:|retard de (?:remise|distribution)
        mancata consegna|non recapitabile|impossibile recapitare|mancato recapito
        no se puede entregar|no entregado|devolucion de correo|correo (?:no entregado|devuelto)
        nao (?:entregue|foi possivel entregar)|falha na entrega
        onbestelbaar|niet bezorgd|niet afgeleverd
        olevererbart|olevererbar|kan inte levereras|kunne ikke leveres|ikke leveret
        niedostarczon|nie mozna dostarczyc|nezdorucitelne|kezbesithetetlen
        недоставленное|не доставлено|сообщение не доставлено|недоставка
        delayed (?:mail|delivery|message)|warning: (?:could not send|message|mail|user|.{{1,60}}user unknown)
        message (?:delay(?:ed)?|status|delivery)
        postmaster notify
        your (?:e-?mail|message|mail) (?:to .{{1,80}})?(?:could not|was not|has not|cannot)
        your mail .{{0,40}}(?:rejected|blocked)
        unable to deliver|user unknown|permanent delivery failure|there was an error sending your mail
        mailbox (?:full|unavailable|not found|is full)
        dsn ?:
        banned (?:or|file)|considered (?:unsolicited|spam)|rejected mail|reject mail from|automatically rejected mail
        sorry, your message could not
        bounce[d:]? |bounce\]?$
        """
    )
    + "|.{0,80}"
    + alternatives(
        r"""
        : ?non remis\b
        \(?delivery failed\)?$
        配信(?:できません|不能|に失敗|エラー)|配送(?:不能|失敗|エラー)|未配信|送信エラー|メール配信
        退信|投递失败|无法投递|无法送达|邮件发送失败|郵件無法|傳遞失敗|投遞失敗|传递失败
        반송|배달되지|전송 실패|전달되지
        """
    )
    + ")"
)
BOUNCE_TEXT: Final = re.compile(
    alternatives(
        r"""
        hi\. this is the (?:qmail-send|deliver) program
        this is the (?:mail|postfix|mail delivery) (?:system|program) at host
        this is an? (?:automatically generated )?delivery (?:status|failure)
        this (?:message|mail) was created automatically by (?:the )?mail
        automated message created by mail delivery software
        (?:mail )?delivery (?:failed|to the following .{0,40}failed|has failed|of (?:this|the|your|e-?mail))
        the following addresses had|permanent fatal errors
        (?:could not|can ?not|couldn't) be delivered\b
        following (?:recipient|address|message|mail).{0,60}(?:could not|cannot|failed|were not)
        did not reach the following
        (?:has|was|were|have) not (?:been |yet been )?delivered|wasn't delivered|undeliverable\b
        wasn't able to deliver|unable to deliver|failed to deliver|not able to deliver|cannot deliver
        has been (?:postponed|delayed|blocked|rejected|returned)
        was (?:rejected|blocked|returned|automatically rejected)
        i(?:'m| am) sorry to have to inform you
        this report relates to a message you sent
        address not found|no such (?:user|recipient|mailbox|person)|not listed in|unknown (?:user|recipient|address)
        transcript of session follows
        \b[45]\d\d[ -][45]\.\d\.\d{1,3}\b|\b550[ -]
        recipient (?:address )?rejected
        (?:user|recipient|mailbox|address) (?:unknown|not found|unavailable|doesn't exist|does not exist)
        mailbox (?:is )?full|quota exceeded|over ?quota|mail box space
        n'a pas (?:pu )?(?:ete|etre) (?:remis|delivre|distribue|achemine|envoye|transmis)
        n'est pas parvenu|impossible de (?:remettre|distribuer|delivrer)|adresse (?:introuvable|inconnue)
        boite (?:aux lettres |de reception )?(?:est )?pleine|destinataire inconnu|utilisateur inconnu
        (?:konnte|konnten) nicht (?:zugestellt|zugeleitet) werden|nicht zugestellt
        non (?:e stato possibile|puo essere) (?:recapitare|consegnare|recapitato)|no se (?:pudo|ha podido) entregar
        недоставл|не (?:было )?доставлен|無法|无法投递|配信できません|배달되지
        """
    )
)

COMPLAINT_SUBJECT: Final = re.compile(
    r"^\W{0,4}(?:complaint about message from|e-?mail feedback report"
    r"|(?:spam |abuse )(?:report|complaint)(?: about|:| for)"
    r"|\[?scomp)"
)
COMPLAINER: Final = re.compile(r"^(?:staff|abuse[\w.-]{0,30}|fbl|feedback[\w.-]{0,30}|scomp|complaints?|arf)$")

AUTO_HEADERS: Final = (
    "x-autoreply", "x-autorespond", "x-autoreply-from", "x-auto-reply", "x-auto-response", "x-autoresponder",
    "x-auto-reply-from", "x-autogenerated", "x-autoreply-to", "x-mail-autoreply", "x-mail-filter-autoreply",
    "x-sieve-vacation", "x-vacation", "x-away-message", "x-cron-env", "x-autoresponse-to", "x-exim-vacation",
    "auto-reply", "x-zimbra-outofoffice", "x-lotus-oof", "x-ooo-reply", "x-autoreply-domain", "x-autorespond-id",
    "x-fc-machinegenerated", "x-rt-loop-prevention", "x-otrs-loop", "x-znuny-loop", "x-fd-autoreply",
)  # fmt: skip
"""Headers that only automatic replies bear."""
AUTO_PRECEDENCE: Final = re.compile(r"auto[-_ ]?(?:reply|replied|response|generated)|vacation")
AUTO_SUBJECT: Final = re.compile(
    r"^\W{0,4}(?:(?:re|aw|sv|fwd?|tr) ?: ?)?"
    + alternatives(
        r"""
        reponse automatique|rep(?:onse)? auto(?:matique)?\b
        repondeur(?: ?:| auto| de messagerie| orange| sfr| free)|message automatique
        (?:notification|message|avis) d'absence|absente?(?:e?s?)? du bureau|absence du bureau|hors (?:du |de )?bureau
        auto(?:matic|mated|matisch)? ?[-:]? ?(?:reply|response|responder|respond|antwort|svar|reactie)\b
        auto ?: |autoreply|autorespon
        out[- ]of[- ](?:the[- ])?office|ooo\b|ooto\b|vacation (?:reply|message|notice|auto)
        away from (?:the |my )?(?:office|mail|desk)
        abwesenheit|automatische (?:antwort|reactie)|automatisches? antwort|nicht im (?:buro|haus)
        risposta automatica|fuori (?:sede|ufficio)|messaggio automatico
        respuesta automatica|fuera de (?:la )?oficina|contestacion automatica
        resposta automatica|fora do escritorio|ausente do escritorio
        automatisch antwoord|niet op kantoor|afwezigheid
        autosvar|automatiskt? svar|fravaersbesked|fravaersmelding|ikke til ?stede|franvaromeddelande
        odpowiedz automatyczna|automatyczna odpowiedz|poza biurem|nieobecnosc w biurze
        automaattinen vastaus|poissaoloilmoitus
        автоответ|автоматический ответ|вне офиса|автоматична відповідь
        自动回复|自動回覆|自動回复|自動返信|自动答复|自動応答|不在通知|자동 ?회신|자동 ?응답
        otomatik yanı?i?t|automatikus valasz|automaticka odpoved|raspuns automat|samodejni odgovor
        automatski odgovor|аутоматски одговор|автоматичен отговор|αυτοματη απαντηση|εκτος γραφειου
        automatinis atsakymas|automaatvastus|automatiska atbilde
        tra loi tu đong|balasan otomatis|ตอบกลับอัตโนมัติ|स्वचालित उत्तर
        תשובה אוטומטית|מענה אוטומטי|رد تلقائي|الرد التلقائي|پاسخ خودکار
        reponse d'absence
        accuse de reception (?:automatique|de votre)
        votre (?:demande|message|e-?mail) a (?:bien )?ete (?:recue?|enregistre)
        """
    )
    + r"|.{0,200}[(\[](?:reponse automatique|automatic reply|auto-?reply|automatische antwort|out of office)[)\]]$"
)
AUTO_ECHO: Final = re.compile(
    r"^\W{0,4}"
    + alternatives(
        r"""
        absente?s?|absence|en conges?|conges?|en vacances?|vacances?
        je suis (?:absente?|en conges?|en vacances|en deplacement)
        (?:i(?:'m| am) )?(?:away|on (?:vacation|holiday|leave)|out)|vacation|holiday|abwesend|urlaub|assenza
        assente|ausencia|ausente|ferie
        indisponible|afwezig|fravaer|franvaro|franvarande|poissa|urlop|отпуск|не на месте
        """
    )
    + r"\b.{0,80}?(?:(?:\bre|\brep|\btr|\baw|\bfwd?) ?:|[\[(«\"])"
)
"""A subject that only names an absence, and then the one it answers."""
AUTO_TEXT: Final = re.compile(
    r"^\W{0,6}(?:(?:bonjour|madame|cher|chere|hello|hi|dear|greetings)\b[^.!?:]{0,50}[,.!] ?)?"
    + alternatives(
        r"""
        ceci est une? (?:reponse|message|mail|e-?mail) (?:automatique|envoye automatiquement|generee? automatiquement)
        this (?:message|e-?mail) (?:has been|was|is) (?:automatically generated|(?:generated|sent) automatically)
        (?:ce|cet) (?:message|e-?mail|courriel|mail) (?:a ete|est) (?:genere|envoye|emis|un envoi) ?automatique(?:ment)?
        this is an? (?:auto|automatic|automated)[- ]?(?:reply|response|message|e-?mail|ally generated|generated)
        diese (?:e-?mail|nachricht) wurde automatisch|dies ist eine automatische
        (?:message|reponse|mail) (?:genere|envoye|automatique)e?s? automatiquement
        \[?(?:auto-?reply|automatic reply|reponse automatique|autoreply)\]?
        """
    )
)
AUTO_MAILER: Final = re.compile(r"\b(?:vacation|auto-?reply|autoanswer|out ?of ?office|repondeur)|auto-?respon[ds]")

RECEIPT_SUBJECT: Final = re.compile(
    r"^\W{0,4}"
    + alternatives(
        r"""
        (?:not |un)?read ?: |(?:non |pas )?lue?s? ?: |(?:un)?gelesen ?: |(?:non )?letto ?: |(?:no )?leido ?:
        (?:nao )?lid[ao] ?:
        (?:niet )?gelezen ?: |last ?: |laest ?: |lest ?: |przeczytano ?: |прочтено ?: |прочитано ?: |deleted ?:
        supprime ?:
        (?:return|read) receipt|accuse de (?:lecture|reception)|confirmation de lecture|lesebestatigung
        empfangsbestatigung
        conferma di lettura|ricevuta di ritorno|confirmacion de lectura|leesbevestiging|lasbekraftelse|kvittering
        disposition notification|message disposition|開封済み|已读|既読|읽음
        """
    )
)
RECEIPT_TEXT: Final = re.compile(
    alternatives(
        r"""
        a ete (?:lue?|affichee?|ouverte?|supprimee? sans)
        was (?:read|displayed|opened|deleted without being read|not read)
        wurde (?:gelesen|angezeigt|am .{0,40}gelesen|ungelesen geloscht)
        e stato (?:letto|visualizzato|aperto)|(?:fue|ha sido) leido|foi lida?|is gelezen
        accuse de (?:reception|lecture)|return receipt|read receipt|lesebestatigung|this receipt verifies
        """
    )
)
