"""What mail programs write around the writer's own words, in the languages they speak, as data.

All phrases are compared after `words.fold`: lower case, no accents. The lists name programs' fixed phrases; where a
form can be recognised without its language (a date, an address and a colon), `quotation` does that instead.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.orders.words import alternatives, fold


def _set(text: str) -> frozenset[str]:
    return frozenset(fold(phrase) for phrase in text.split("|") if phrase.strip())


def _any(text: str) -> str:
    """A regular expression for one of the phrases, longest first."""
    return "(?:" + "|".join(re.escape(item) for item in sorted(_set(text), key=lambda item: (-len(item), item))) + ")"


_LABELS: Final = {
    "from": """de|de la part de|émetteur
        |from|von|da|van|från|fra|od|de la|expéditeur|exp|remitente|mittente|afzender|avsändare|absender
        |nadawca|от|от кого|отправитель|від|发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람|feladó|kimden|gönderen
        |lähettäjä        |odesílatel|emisor|reçu de|avsender|afsender|pošiljatelj|从|από|từ|người gửi""",
    "date": """envoyé|envoyé le|envoyée|date|date d'envoi|message du|le|sent|sent on|sent at|gesendet|gesendet am|datum
        |inviato|inviato il|data|enviado|enviado el|enviado em|enviada|enviada em|fecha|verzonden|verzonden op|skickat
        |sendt|dato|wysłano|wysłane|data wysłania|lähetetty|päiväys|päivämäärä|odesláno|elküldve|küldve|dátum
        |gönderildi|gönderme tarihi|tarih|отправлено|дата|надіслано|发送时间|时间|日期|寄件日期|送信日時|日付|日時
        |보낸 날짜|날짜|보낸 시간|trimis|poslano|reçu|reçu le|στάλθηκε|ημερομηνία|đã gửi|ngày""",
    "to": """à|a|pour|destinataire|destinataires|to|an|para|aan|till|til|do|dla|komu|кому|收件人|宛先|받는 사람|받는사람
        |vastaanottaja|kime|alıcı|címzett|către|destinatario|destinatari|ontvanger|empfänger|mottagare|modtager|προς|tới|đến""",
    "cc": """cc|cci|bcc|copie|copie à|copie cachée|kopie|kopia|kopi|copia|ud|dw|копия|抄送|副本|参照|참조
        |kópia|kopija|bilgi""",
    "subject": """objet|sujet|subject|betreff|oggetto|asunto|assunto|onderwerp|ämne|emne|temat|aihe|předmět|predmet
        |tárgy|konu|тема|主题|主旨|件名|제목|subiect|objet du message|titre|θέμα|chủ đề""",
    "other": """reply-to|reply to|répondre à|antwort an|importance|priorité|priority|attachments|pièces jointes
        |pièce jointe|organisation|newsgroups|message-id|allegati|anlagen|adjuntos|bijlagen|references
        |return-path|mailed-by
        |signed-by|date de réception|resent-from|x-mailer""",
}
LABELS: Final[dict[str, str]] = {phrase: kind for kind, phrases in _LABELS.items() for phrase in _set(phrases)}
"""The labels of a header block (`De : … Envoyé : … À : … Objet :`), each with its kind."""

_WROTE: Final = _any(
    """wrote|writes|has written|wrote the following|a écrit|a écris|a écrit ce qui suit|écrivait|écrit
    |avez écrit|schrieb|hat geschrieben|schreibt|ha scritto|scrisse|scrive|escribió|ha escrito|escribe
    |escribió lo siguiente|escreveu|schreef|het volgende geschreven|heeft geschreven|skrev|har skrevet
    |har skrivit|skrev følgende|napisał|napisała|napisał(a)|pisze|pisał|pisała|pisał(a)|napsal|napsala
    |napsal(a)|napísal|napísal(a)|написал|написала|написал(а)|пишет|писал|писал(а)|написав|написав(ла)|пише
    |написа|каза|kirjoitti|írta|yazdı|şunları yazdı|a scris|va escriure|kirjutas|rakstīja|rašė|je napisao
    |je napisal|je napisala|piše|napisao|đã viết|menulis|mengirim|έγραψε|כתב|كتب|写道|寫道|님이 작성
    |نوشت|نوشته است|さんは書きました|のメール"""
)
WROTE: Final = re.compile(_WROTE)
"""Any form of "wrote", anywhere."""
WROTE_END: Final = re.compile(
    rf"(?:^|[\s,>\])\"'(]){_WROTE}(?: in post #\d{{1,9}})?[\"'*_)]{{0,3}}\s?(?:[:;]|:?\s?-{{2,5}})?\s?[*_]{{0,2}}$"
)
"""A line that ends in "… a écrit :"; the colon is looked at by the caller."""
WROTE_MID: Final = re.compile(rf"(?:^|[\s,>\])\"']){_WROTE}[\s,]")
"""A line that holds "… schrieb am …"."""
WROTE_TALK: Final = re.compile(r"\b(?:wrote|writes|written|ecrit|ecris|ecrivait)\s")
"""Forms that people use in sentences: "Le 7 décembre, Bruno m'a écrit trois lettres :"."""
CLOCK_TIME: Final = re.compile(r"\b\d{1,2}\s?[:h]\s?[0-5]\d\b")
WROTE_INLINE: Final = re.compile(rf"^.{{0,250}}[>)]\s?,?\s?{_WROTE} ?:(?= |$)")
"""Yahoo's mobile form: the quotation goes on on the same line."""
QUOTING: Final = re.compile(r"^(?:quoting|zitat von|citando(?: a)?|quote from|citation de) ")
NO_NAME: Final = _set(
    """i|he|she|you|we|they|it|who|as|what|that|this|when|then|yesterday|today|once|and|but|so|because|here|also
    |je|j'|il|elle|on|tu|nous|vous|ils|elles|hier|aujourd'hui|que|qui|quoi|ce|cela|comme|quand|puis|et|mais|ou|donc|or
    |ni|car|voici|voilà|ici|celui|celle|qu'il|qu'elle|qu'on|il|l'a|m'a|lui|moi|ich|er|sie|wir|wie|als|gestern"""
)
"""Words that are no part of a name: "hier il a écrit :" is the writer's own sentence."""
PRONOUN: Final = re.compile(r"[.!?]\s(?:il|elle|ils|elles|on|he|she|they|i|je|nous|we)$")
"""A sentence's new subject right before the verb: no header speaks so."""
STARTER: Final = re.compile(
    r"^[-_*\s\"']{0,12}"
    + alternatives(
        r"""
        le|on|am|il|el|em|op|den|dne|dnia|w dniu|в|на|pa|pada|du|en date d[eu]|en|ti|to|ma|pe|vao|a|at|um
        active|date|quoting
        in a message dated|dans un (?:e-?mail|courriel|message)
        lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|monday|tuesday|wednesday|thursday|friday|saturday|sunday
        montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag
        lun|mar|mer|jeu|ven|sam|dim|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so
        пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье
        \d{1,4}[./-]\d{1,2}|\d{1,2}\.? \w{3,12}\.? \d{4}|\d{4}年
        """
    )
    + r"(?![\w'])"
)
"""How an attribution begins (after which a date follows)."""
EMAIL: Final = re.compile(r"[\w.+=-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}")
BRACKETED: Final = re.compile(r"[<(\[]\s?(?:mailto:)?[\w.+=-]{1,64}@[\w.-]{3,250}\s?[>)\]]")
"""An address as headers give it; in people's sentences it stands bare."""
CLOCK: Final = re.compile(r"\b(?:19|20)\d\d\b.{0,40}\b\d{1,2}[:.h]\d\d\b")
"""A year, and behind it a time of day."""
WHEN_LAST: Final = re.compile(r"^[^.!?]{2,40},? \d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:h.]\d\d(?::\d\d)? ?:$")
"""A name, a date and a time of day, and nothing else."""
WHEN: Final = re.compile(
    r"\b\d{1,2}\s?[:h.]\s?[0-5]\d\b|\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\d{1,2}月\d{1,2}日"
    r"|\b\d{1,2}\.? (?:jan|fev|feb|mar|avr|apr|mai|may|juin|jun|juil|jul|aou|aug|sep|oct|okt|nov|dec|dez)[a-z]{0,7}\b"
)
"""Something of a date or a time of day."""

_ORIGINAL: Final = _any(
    """original message|message d'origine|message original|message initial|message originel|mail original|mail d'origine
    |courriel original|courriel d'origine|e-mail original|email original|e-mail d'origine|courrier d'origine
    |ursprüngliche nachricht|originalnachricht|ursprüngliche mail|original-nachricht|messaggio originale
    |mensaje original|mensagem original|oorspronkelijk bericht|origineel bericht|oprindelig meddelelse
    |originalmeddelelse|oprindelig besked|ursprungligt meddelande|originalmeddelande|opprinnelig melding
    |wiadomość oryginalna|oryginalna wiadomość|исходное сообщение|оригинальное сообщение|原始邮件|原始郵件|原邮件
    |元のメッセージ|원본 메시지|alkuperäinen viesti|eredeti üzenet|původní zpráva|pôvodná správa|orijinal mesaj
    |original email|original mail|original|reply message|original appointment|rendez-vous d'origine|message de réponse
    |mesaj original|message précédent|réponse|previous message"""
)
_FORWARDED: Final = _any(
    """forwarded message|message transféré|message réexpédié|message transmis|courriel transféré|mail transféré
    |e-mail transféré|forwarded mail|message suivi|weitergeleitete nachricht|weitergeleitete mail|messaggio inoltrato
    |mensaje reenviado|mensagem encaminhada|mensagem reencaminhada|doorgestuurd bericht|videresendt meddelelse
    |videresendt besked|videresendt melding|vidarebefordrat meddelande|wiadomość przekazana|przekazana wiadomość
    |treść przekazanej wiadomości|пересланное сообщение|пересылаемое сообщение|转发邮件|转发的邮件|轉寄郵件
    |転送メッセージ|전달된 메시지|välitetty viesti|továbbított üzenet|přeposlaná zpráva|iletilmiş mesaj|forwarded email
    |forward|begin forwarded message"""
)
_BEGIN: Final = _any(
    """début du message transféré|début du message réexpédié|début du message renvoyé|début du courriel transféré
    |début du message réacheminé|début de l'e-mail transféré|begin forwarded message|start of forwarded message
    |anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|anfang weitergeleitete nachricht
    |inizio messaggio inoltrato|inizio del messaggio inoltrato|inicio del mensaje reenviado
    |início da mensagem reencaminhada|início da mensagem encaminhada|begin doorgestuurd bericht
    |start på videresendt besked|start på videresendt e-mail|videresendt melding|begynnelse på videresendt melding
    |vidarebefordrat brev|vidarebefordrat mejl|początek przekazywanej wiadomości|начало пересылаемого сообщения
    |以下是转发的邮件|以下為轉寄的郵件|転送されたメッセージ|下記は転送された|alku välitetty viesti
    |továbbított levél kezdete|začátek přeposlané zprávy"""
)
_RULE_MARK: Final = r"[-_=*~–—]"
CUT: Final = re.compile(
    r"^[\s*_>]{0,6}"
    + alternatives(
        rf"""
        (?:{_RULE_MARK} ?){{2,60}}(?:{_ORIGINAL}|{_FORWARDED})\b.{{0,60}}
        {_RULE_MARK}{{2,60}}\s?(?:forwarded by|transfere par|transmis par|weitergeleitet von|forwarded to)\b.{{0,120}}
        {_BEGIN}\s?:?
        {_FORWARDED}\s?:
        [#*\s=_-]{{0,12}}(?:please )?(?:(?:type|write|enter) (?:your )?)?(?:reply|response|answer) above this line.{{0,60}}
        .{{0,200}}[>"] (?:wrote in message|schrieb im newsbeitrag|a ecrit dans le message(?: de(?: news| groupe de discussion)?)?) ?:?.{{0,120}}
        [#*\s-]{{0,8}}(?:merci de )?repond(?:re|ez) au-dessus de cette ligne.{{0,60}}
        (?:{_ORIGINAL}|{_FORWARDED}) ?:?{_RULE_MARK}{{3,60}}
        """  # noqa: E501 - one phrase a line
    )
    + "$"
)
"""A line from which on everything is quotation, marked or not (MAIL.md § 2.4)."""
GROUPWISE: Final = re.compile(r"^>>> ?.{3,200}(?:>>>|wrote:|a ecrit ?:)$")
"""GroupWise's header; the text below it is not marked."""

_DEVICE: Final = alternatives(
    r"""
    i ?phone|i ?pad|i ?pod|apple watch|android|blackberry|samsung|galaxy|(?:smart|tele|cell|mobile )? ?phones?|mobile
    mobil|mobiltelefon|handy|tablet|tablette|telephone|portable|huawei|honor|xiaomi|redmi|oppo|oneplus|motorola|nokia
    sony|xperia|htc|lg|alcatel|wiko|fairphone|lumia|windows|outlook|mail|email|e-mail|appareil|device|cell|pc|mac|macbook
    ti-\d{2}|nexus|pixel|asus|orange|sfr|free|laposte\.net|mobilgerat|gerat|dispositivo|movil|celular|telefono
    cellulare|toestel|apparaat|telefon|telefonu|telefonen|yahoo ?mail|gmail|protonmail|proton mail|airmail|mailbox|spark
    aquamail|bluemail|tuta|tutanota|newton|nine|edison
    """
)
FOOTER: Final = re.compile(
    r"^[\s*_<(\[>-]{0,6}"
    + alternatives(
        rf"""
        (?:sent|posted|written|typed) (?:from|via|with|by|using|on|w/)(?: (?:my|a|an|the))? [\w '&+/\[\]-]{{0,40}}\b{_DEVICE}\b[^,]{{0,60}}(?:,? ?please excuse.{{0,60}}|[.,;].{{0,60}})?
        sent (?:from|via) (?:my |the )?(?:verizon|at&t|t-mobile|sprint|boost|metro)[\w ,.-]{{0,60}}
        sent (?:with|from|via) \[?(?:proton|sparrow|airmail|mailbox|spark|tuta|mail|yahoo|front|superhuman|missive|shortwave|mailtrack|k-9).{{0,100}}
        (?:envoye|ecrit|expedie|(?:message|courriel|e-?mail|mail) envoye) ?:? ?(?:de|depuis|a partir (?:de|du|d')|du|avec|via|par|a l'aide de|grace a|d'un)[ ']?[\w '&+/.-]{{0,50}}\b{_DEVICE}\b.{{0,100}}
        provenance ?: ?.{{0,20}}(?:courrier|windows|outlook|mail).{{0,40}}|envoye depuis l'application.{{0,60}}|envoye avec la messagerie.{{0,80}}
        (?:get|obtenir|telecharger|telechargez|obtenez|holen sie sich|descargar|obtener|scarica|baixar|download|ottieni|hent|hamta) .{{0,10}}outlook\]? (?:for|pour|fur|para|per|til|voor) .{{0,60}}
        (?:securise|securely sent|secured|envoye|securely) (?:par|with|by|avec) (?:tuta|tutanota|proton).{{0,60}}
        von (?:meinem|meiner|unterwegs|mobil)\b.{{0,60}}gesendet.{{0,20}}|gesendet (?:von|mit|aus|uber)\b.{{0,60}}\b{_DEVICE}\b.{{0,40}}
        diese nachricht wurde von .{{0,80}}gesendet.{{0,10}}
        inviato (?:da|dal|con)\b.{{0,40}}\b{_DEVICE}\b.{{0,40}}|(?:enviado|enviada) (?:desde|do|de|a partir do|del|con|pelo)\b.{{0,40}}\b{_DEVICE}\b.{{0,40}}
        (?:verzonden|verstuurd) (?:vanaf|met|van|via)\b.{{0,40}}\b{_DEVICE}\b.{{0,40}}|(?:sendt|skickat|skickad) (?:fra|fran|med)\b.{{0,40}}\b{_DEVICE}\b.{{0,40}}
        wysłan[eoy] z\b.{{0,60}}|lahetetty .{{0,60}}|отправлено (?:с|из|со)\b.{{0,60}}|odeslano z\b.{{0,60}}
        (?:从|從)我的.{{0,30}}(?:发送|發送|傳送)|发自我的.{{0,30}}|發自我的.{{0,30}}|.{{0,20}}(?:iphone|android)から送信|나의 .{{0,20}}에서 보냄
        (?:from|someone from|depuis) (?:my )?(?:i ?phone|mobile|ipad|android)\b.{{0,20}}
        garanti sans virus.{{0,60}}|sans virus ?\.? ?(?:www\.)?avast.{{0,40}}|virus-free.{{0,60}}|this e-?mail has been (?:checked|scanned) (?:for|by).{{0,200}}
        l'absence de virus dans ce (?:courrier|message|mail|courriel).{{0,120}}|cet e-?mail a ete verifie.{{0,120}}|diese e-?mail wurde .{{0,20}}viren.{{0,100}}
        (?:veuillez |merci de |please )?(?:excuser?|pardonner?|pardon) (?:ma brievete|my brevity|la brievete).{{0,40}}
        (?:\S )?(?:pensez|merci de penser|please (?:consider|think)|think|adoptez|faites un geste|preservons|soyez|ayez).{{0,40}}(?:environnement|environment|planete|eco-?(?:attitude|geste|responsab)).{{0,20}}(?:imprim|print).{{0,80}}
        (?:\S )?(?:n'imprimez|avant d'imprimer|before printing|do not print|don't print|merci de n'imprimer).{{0,40}}(?:e-?mail|mail|message|courriel|document).{{0,80}}
        (?:\S )?(?:please consider|pensez a|think (?:of|about)|preservons) (?:the |l'|la )?(?:environnement|environment|planete)[\s.!]{{0,3}}
        \[?(?:message tronque|message clipped|message truncated)\]?.{{0,80}}
        do you yahoo!?\?.{{0,60}}|yahoo!? ?mail ?:.{{0,80}}|yahoo! mail.{{0,80}}|une messagerie gratuite.{{0,120}}|la messagerie .{{0,40}}gratuit.{{0,80}}
        """  # noqa: E501 - one phrase a line
    )
    + r"[\s*_>)\].]{0,6}$"
)
"""A line that a program adds below what is written; only whole lines match."""

LAST_LINE: Final = re.compile(
    r"^[\s*_<(\[-]{0,4}"
    + alternatives(
        r"""
        sent (?:from|with|via|using|by) (?!me\b|us\b|him\b|her\b|them\b)[^,;!?]{1,60}
        envoye (?:de|depuis|avec|via|a partir d[eu']|grace a|par) (?!moi\b|nous\b|lui\b|elle\b)[^,;!?]{1,60}
        (?:gesendet (?:von|mit|via)|verzonden (?:met|via|vanaf)) [^,;!?]{1,60}
        (?:enviado (?:desde|con|por|do|via)|inviato (?:da|con|tramite)) [^,;!?]{1,60}
        (?:get|download|telechargez?r?|obten(?:ir|ez)) [^,;!?]{1,40} (?:for|pour) (?:android|ios|iphone|ipad)\b.{0,50}
        (?:get|download|telechargez?r?|obten(?:ir|ez)) [^,;!?]{1,40} (?:for|pour) (?:mobile|windows|mac)\b.{0,60}
        """
    )
    + "$"
)
"""A program's line that is only taken for one when it stands last, below a blank line."""
SIGN: Final = re.compile(r"^[\s*_]{0,4}(?:-- ?|—|—-)$|^[\s*]{0,4}__$")
"""A signature separator, as it is (`-- `) and as it is maltreated."""
RULE: Final = re.compile(r"^[\s>]{0,4}(?:[-_=*~#+–—]\s?){3,200}$")
"""A line of nothing but a drawn rule."""
CONTACT: Final = re.compile(
    r"@[\w-]{1,60}\.|https?://|www\.|(?:\+\d|\b0\d)[\d .()/-]{7,20}|\b(?:tel|mob|fax|phone|gsm|mobile)\b"
)
"""What stands in signatures: an address, a site, a telephone number."""
LIST_FOOTER: Final = re.compile(
    r"mailing list|liste de diffusion|listinfo|unsubscribe|desabonn|se desinscrire|mailman|list-help|googlegroups"
    r"|archives? *:"
)
DISCLAIMER_HEAD: Final = re.compile(
    r"^[\s*_-]{0,6}"
    + alternatives(
        """
        disclaimer|confidentiality(?: notice| note| warning)?|legal (?:notice|disclaimer)|avis de confidentialite
        avertissement(?: legal)?|confidentialite|notice de confidentialite|important notice|haftungsausschluss
        aviso legal|clause de non-responsabilite|mentions? legales?
        """
    )
    + r"[\s*_:.-]{0,6}$"
)
_LONG: Final = 500
_LEGAL: Final = tuple(
    _set(
        """détrui|supprim|delete|destroy|vernicht|löschen|cancell|copi|diffus|distribut|disclos|divulg|unauthor
        |non autoris|sans autoris|prohibited|interdit|strictement|strictly|responsab|liab|pièces jointes
        |attachment|expéditeur|sender|absender|mittente|notify|aviser|prévenir|signaler|environment|environnement|intégrité|altér|légal|legal|société
        |company|employ|propriét|exclusiv|transmis|privileg|protect|protég|usage|scanned|erreur|error|engag|opinion"""
    )
)
_LEGAL_CORE: Final = tuple(
    _set(
        """confiden|vertraulich|riservat|vertrouwelijk|privileg|destinataire|intended|recipient|addressee|empfänger
        |destinatari|par erreur|in error|irrtümlich|per errore|por error|virus|imprimer|printing|before you print
        |malware|uniquement destin|exclusivement destin|destinés exclusivement|en cas d'erreur|solely for|only for the
        |qui il est adress|laquelle il est adress"""
    )
)
_LEGAL_SUBJECT: Final = tuple(
    _set(
        """message|mail|courriel|courrier|nachricht|mensaje|messaggio|mensagem|bericht|information|communication|document
        |transmission"""
    )
)


_SELF: Final = re.compile(
    r"\b(?:vous|veuillez|merci d|please|you|your|sie|ihnen|bitte|usted|any (?:use|review|dissemination|copying|opinion)"
    r"|toute?s? (?:utilisation|diffusion|copie|reproduction|modification|publication|divulgation))\b|"
    r"\b(?:cet?|cette|this|the present|diese[rs]?|est[ea]|quest[oa]|dit|contenu d[eu]|information in)\s"
    + alternatives(
        """
        (?:present )?(?:message|e-?mail|mail|courriel|courrier|nachricht|mensaje|messaggio|correo)
        (?:mensagem|bericht|communication|communique|document|transmission)
        """
    )
    + r"\b"
)
"""A disclaimer speaks of its own mail, or to whoever reads it."""
TRAILER: Final = re.compile(
    alternatives(
        r"""
        \b(?:avant d'imprimer|n'imprim(?:ez|ons)|pas imprimer|before (?:you )?print(?:ing)?|(?:do not|don't|not) print)\b
        \b(?:avast|avg|mcafee|kaspersky|norton|bitdefender|eset|sophos|mailscanner|trend ?micro|f-secure)\b.{0,120}\b(?:virus|verifi|scann|securi|protect|anal[iy]|www)
        (?:virus|verifi|scann|securi|protect|anal[iy]).{0,120}\b(?:avast|avg|mcafee|kaspersky|norton|bitdefender|eset|sophos|mailscanner|trend ?micro|f-secure|vade|mailinblack|altospam|proofpoint|mimecast|barracuda|check point)\b
        ^(?:\[(?:cid:|image|logo|inline)[^\[\]]{0,200}\] ?){1,9}$
        """  # noqa: E501 - one phrase a line
    )
)
"""What is said in a last paragraph that some program or company adds below every mail; at most two lines long."""
DISCLAIMER_START: Final = re.compile(
    r"^[\s*_-]{0,6}(?:disclaimer|confidential(?:ity)?(?: notice| note)?|confidentiel(?:le)?|confidentialite"
    r"|avis de confidentialite|(?:important|legal) notice|avertissement|vertraulich(?:keitshinweis)?)\s?[:\u2013-]"
)
"""How a short one begins."""


def is_disclaimer(folded: str, least: int | None = None) -> bool:
    """Whether a folded paragraph speaks like a disclaimer: of mail, of secrecy, and in several of its other words.

    `least`: how many of its words it must have; by default more in a long paragraph.
    """
    if not any(stem in folded for stem in _LEGAL_SUBJECT) or not _SELF.search(folded):
        return False
    core = sum(stem in folded for stem in _LEGAL_CORE)
    return core > 0 and core + sum(stem in folded for stem in _LEGAL) >= (least or (4 if len(folded) < _LONG else 5))


BANNER: Final = re.compile(
    r"^[\W_]{0,12}"
    + alternatives(
        r"""
        (?:caution|warning|attention|avertissement|alerte|prudence|externe?|external|important|achtung|vorsicht)\b.{0,40}\b(?:e-?mail|mail|message|courriel|sender|expediteur)\b.{0,60}(?:extern|exterieure? a |(?:de|a) l'exterieur|outside (?:of )?(?:the|our|your)|hors de (?:l'|notre|votre)|unknown sender|expediteur inconnu|originated).{0,400}
        (?:this|ce|cet) (?:e-?mail|mail|message|courriel|courrier).{0,40}(?:originated|came|comes|was sent|is) (?:from )?(?:an |the )?(?:outside|external).{0,400}
        (?:this|ce|cet) (?:e-?mail|mail|message|courriel|courrier).{0,40}(?:provient|vient|emane|a ete (?:envoye|emis)|est externe|externe).{0,60}(?:exter|hors).{0,400}
        (?:external (?:e-?mail|sender|message)|(?:courriel|mail|e-?mail|message|expediteur) externe|externe? ?e-?mail|\[?ext(?:ernal|erne)?\]?)[\W_]{0,12}(?:exter.{0,40})?
        you don't often get e-?mail from.{0,300}|some people who received this message don't often get e-?mail.{0,300}
        vous n'obtenez pas souvent d'e-?mail.{0,300}|certaines personnes (?:ayant|qui ont) recu ce message.{0,300}|vous ne recevez pas souvent.{0,300}
        sie erhalten nicht haufig.{0,300}|zjqcmqryfpfpt.{0,300}|this message was sent from outside.{0,300}|do not click (?:on )?links.{0,300}|ne cliquez pas.{0,300}
        (?:##|--|\*\*)? ?(?:please (?:do not write|type your reply|reply) (?:below|above) this line|(?:merci de )?repond(?:re|ez) au-dessus de cette ligne).{0,60}
        """  # noqa: E501 - one phrase a line
    )
    + "$"
)
"""A paragraph that a gateway puts above a mail from outside."""

GREETING: Final = re.compile(
    r"^(?:re-?)?"
    + alternatives(
        """
        bonjour|bonsoir|salut|coucou|rebonjour|bjr|bsr|slt|cher|chere|chers|cheres|monsieur|madame|mesdames|messieurs
        bonne nuit
        hello|hi|hey|hej|dear|greetings|yo|good (?:morning|evening|afternoon|day|night)
        hola|hallo|guten (?:tag|abend|morgen)|ciao|buon(?:giorno|asera)
        """
    )
    + r"\b[^?]{0,60}$"
)
"""A line that only greets; whether a command follows in it is looked at by the caller."""
