"""Bytes to text, whatever charset a mail claims.

`decode` never raises. It believes a declared charset only as far as the bytes bear it out: mails that say us-ascii,
nothing, or one 8-bit charset while they hold another are everyday mail (MAIL.md § 2.4, "odd charsets").
"""

from __future__ import annotations

import codecs
import re
from typing import Final

# What mail programs write, and the codec that reads what they mean by it. The windows supersets stand for the ISO
# names because programs that declare ISO-8859-1 send typographic quotes of windows-1252 (as WHATWG Encoding knows).
_ALIASES: Final = {
    "us-ascii": "ascii", "ansi_x3.4-1968": "ascii", "iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252",
    "iso8859-1": "cp1252", "iso_8859-1": "cp1252", "8859_1": "cp1252", "l1": "cp1252", "ansi": "cp1252",
    "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "windows-874": "cp874",
    "iso-8859-8-i": "iso-8859-8", "iso-8859-8-e": "iso-8859-8", "iso-8859-6-i": "iso-8859-6",
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "gb_2312-80": "gb18030", "cn-gb": "gb18030",
    "ks_c_5601-1987": "cp949", "ks_c_5601": "cp949", "ksc5601": "cp949", "euc-kr": "cp949", "x-windows-949": "cp949",
    "x-sjis": "cp932", "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "windows-31j": "cp932",
    "x-euc-jp": "euc_jp", "cp50220": "iso2022_jp_ext", "cp50221": "iso2022_jp_ext", "cp50222": "iso2022_jp_ext",
    "csiso2022jp": "iso2022_jp_ext", "iso-2022-jp": "iso2022_jp_ext", "cp-850": "cp850", "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman", "x-user-defined": "cp1252", "unicode-1-1-utf-7": "utf-7", "unicode-1-1-utf-8": "utf-8",
    "utf8": "utf-8", "utf-8-sig": "utf-8", "x-utf-8": "utf-8", "utf8mb4": "utf-8", "unicode": "utf-8",
    "big5-hkscs": "big5hkscs", "big5": "big5hkscs", "x-x-big5": "big5hkscs",
}  # fmt: skip
_UNKNOWN: Final = frozenset({"", "ascii", "unknown", "unknown-8bit", "x-unknown", "default", "binary", "8bit", "7bit"})
# Codecs of Python that are no charsets of text: bytes-to-bytes, text-to-text, or able to blow up.
_REFUSED: Final = re.compile(r"base64|bz2|hex|quopri|rot|uu|zip|zlib|idna|punycode|escape|undefined|mbcs|oem")
_LONGEST: Final = 40
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_C0_DF: Final = range(0xC0, 0xE0)
_E0_FF: Final = range(0xE0, 0x100)
_UTF8_RUN: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_DOUBLED: Final = re.compile(
    "[\u00c2\u00c3\u00e2][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)
_MULTIBYTE: Final = ("gb", "cp949", "cp932", "euc", "big5", "iso2022", "iso-2022", "hz", "johab", "shift", "utf")


def codec_of(charset: str | None) -> str | None:
    """The Python codec for a declared charset; '' if none was declared, None if the name means nothing to us."""
    name = (charset or "").strip().strip("\"'").split("*", 1)[0].strip().lower().replace("windows_", "windows-")
    name = _ALIASES.get(name, name)
    if name in _UNKNOWN:
        return ""
    if len(name) > _LONGEST or _REFUSED.search(name):
        return None
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError, UnicodeError):
        return None


def decode(data: bytes, charset: str | None) -> tuple[str, str | None]:
    """Text of `data`, and a word on what was wrong with the declared charset (None if it was right). Never raises."""
    codec = codec_of(charset)
    if codec in {"utf-16", "utf-32", "utf-16-le", "utf-16-be"} and b"\0" not in data[:64]:
        codec = ""  # the declaration stems from a template; the bytes are 8-bit text
    if not _HIGH.search(data) and not _stateful(codec):
        return _clean(data.decode("ascii", "replace")), None
    text, fault = _high(data, codec, charset)
    once = _undoubled(text)
    return _clean(once), fault or (None if once == text else "encoded as utf-8 twice")


def _stateful(codec: str | None) -> bool:
    return codec is not None and codec.startswith(("iso2022", "iso-2022", "utf-7", "utf-16", "utf-32", "hz"))


def _high(data: bytes, codec: str | None, charset: str | None) -> tuple[str, str | None]:
    if codec and not codec.startswith(_MULTIBYTE) and _strict(data, "utf-8") is not None:
        return data.decode("utf-8"), f"says {charset}, is utf-8"
    text = _strict(data, codec) if codec else None
    if text is not None:
        return text, None
    word = f"says {charset or 'no charset'}, is another"
    guessed = _guess(data, enough=5 if codec == "utf-8" else 8)
    if codec and codec != "utf-8" and codec.startswith(_MULTIBYTE) and guessed != "utf-8":
        return _lossy(data, codec), word
    return _lossy(data, guessed), None if guessed == "utf-8" and codec == "" else word


def _undoubled(text: str) -> str:
    """`text` before somebody took its UTF-8 for windows-1252 and encoded it again ("NoÃ©"), if all of it was."""
    if not _DOUBLED.search(text):
        return text
    try:
        return b"".join(_one_byte(char) for char in text).decode("utf-8")
    except UnicodeError:
        return text


def _one_byte(char: str) -> bytes:
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")  # five bytes are no letters in windows-1252


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (UnicodeError, LookupError, ValueError, AssertionError):
        return None


def _lossy(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec, "replace")
    except (UnicodeError, LookupError, ValueError, AssertionError):
        return data.decode("latin-1")


def _guess(data: bytes, *, enough: int) -> str:
    """The likeliest codec of 8-bit bytes: UTF-8 (broken bytes forgiven), else a Cyrillic or the Western one.

    `enough`: how many tenths of the bytes must be good UTF-8; half will do where it was declared, for other charsets
    hardly ever look like it.
    """
    in_runs = sum(len(run) for run in _UTF8_RUN.findall(data))
    high = len(_HIGH.findall(data))
    if in_runs * 10 >= high * enough:
        return "utf-8"
    return _cyrillic(data) or "cp1252"


def _cyrillic(data: bytes) -> str | None:
    """cp1251 or koi8-r where most letters are high bytes (Western text has a few per word at most); else None."""
    words = re.findall(rb"[A-Za-z\x80-\xff]{2,40}", data[:20_000])
    high = sum(len(_HIGH.findall(word)) for word in words)
    if not words or high * 10 < 7 * sum(map(len, words)):
        return None
    # Running text is mostly lower case, which cp1251 has at E0-FF and koi8-r at C0-DF.
    upper_half = sum(byte in _E0_FF for word in words for byte in word)
    lower_half = sum(byte in _C0_DF for word in words for byte in word)
    return "cp1251" if upper_half >= lower_half else "koi8-r"


def _clean(text: str) -> str:
    return _CONTROLS.sub(" ", text.replace("\x1b", ""))
