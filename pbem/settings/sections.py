"""The sections of `pbem.toml`, each a frozen record; a field's description is what a `ConfigError` says it expects."""

from __future__ import annotations

from datetime import time, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PrivateAttr,
    field_validator,
    model_validator,
)

from pbem.settings.fields import (
    ConfigError,
    Secret,
    clock_time,
    duration,
    duration_word,
    is_loopback,
    mail_address,
    place,
    time_zone,
    weekly_time,
)
from pbem.settings.oauth import Grant

Address = Annotated[str, AfterValidator(mail_address), Field(description="a mail address such as lune@example.org")]
Port = Annotated[int, Field(ge=0, le=65535, description="a TCP port from 1 to 65535 (post office: 0 for any free one)")]
Seconds = Annotated[float, Field(gt=0, le=86_400, description="a number of seconds above 0, at most a day")]
Count = Annotated[int, Field(ge=1, description="a whole number, 1 or more")]
Duration = Annotated[timedelta, BeforeValidator(duration)]
Window = Annotated[
    timedelta, BeforeValidator(duration), Field(ge=timedelta(), le=timedelta(days=7), description="a duration up to 7d")
]
Phase = Annotated[
    timedelta, BeforeValidator(duration),
    Field(ge=timedelta(minutes=1), le=timedelta(days=7), description="a duration from 1m up to 7d"),
]  # fmt: skip
"""The length of a window in which players act: one that closes as it opens would be none."""
Tls = Annotated[Literal["tls", "starttls", "none"], Field(description='"tls", "starttls" or "none" (loopback only)')]
Zone = Annotated[str, AfterValidator(time_zone), Field(description="a time zone such as Europe/Paris")]
Language = Annotated[
    str, Field(pattern=r"^[a-z]{2,3}$", description='"fr" or "en", or another language that you have letters in')
]
MaybeSecret = Annotated[
    InstanceOf[Secret] | None, BeforeValidator(lambda given: None if given is None else Secret.of(given))
]
MaybeGrant = Annotated[
    InstanceOf[Secret] | None, BeforeValidator(lambda given: None if given is None else Grant.of(given))
]
Place = Annotated[Path, AfterValidator(place)]
Text = Annotated[str, Field(max_length=500, pattern=r"^[^\x00-\x1f\x7f]*$", description="text on one line")]
Host = Annotated[str, Field(max_length=253, pattern=r"^[A-Za-z0-9.:_-]*$", description="a host name or address")]


class Section(BaseModel):
    """What all sections share: frozen, strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Game(Section):
    """`[game]`: who is who. `code` is the prefix of game codes (`PL` makes PL1, PL2 …)."""

    address: Address
    list_address: Address
    storytellers: tuple[Address, ...] = Field(min_length=1, description="one or more addresses, in brackets")
    name: Text = "Pleine Lune"
    code: str = Field(default="PL", pattern=r"^[A-Za-z]{1,8}$", description="1 to 8 letters, such as PL")
    language: Language = "fr"
    timezone: Zone = "Europe/Paris"
    tags: Literal["plus", "subject"] = Field(
        default="plus", description='"plus" (lune+tag@…) or "subject" where the mail server has no sub-addressing'
    )

    @field_validator("storytellers", mode="before")
    @classmethod
    def _one_or_many(cls, given: Any) -> Any:
        return [given] if isinstance(given, str) else given

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if self.list_address == self.address:
            raise ValueError("list_address: expected another address than the game's own")
        if {self.address, self.list_address} & set(self.storytellers):
            raise ValueError("storytellers: expected people, not the address of the game or of the list")
        return self

    @property
    def domain(self) -> str:
        """The domain of the game's address."""
        return self.address.rpartition("@")[2]


class Server(Section):
    """What `[imap]` and `[smtp]` share: where the server is and how to log in there."""

    host: Host = ""
    port: Port = 0
    tls: Tls = "tls"
    user: Text = ""
    password: MaybeSecret = None
    oauth: MaybeGrant = Field(default=None, description="an OAuth2 access token (XOAUTH2), or how to get one")
    ca_file: Place | None = Field(default=None, description="a file of certificates (PEM) to trust, not the system's")
    timeout_seconds: Seconds = 60.0

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.tls == "none" and self.host and not is_loopback(self.host):
            raise ValueError('tls: expected "tls" or "starttls": no password or mail crosses a network unprotected')
        if self.password is not None and self.oauth is not None:
            raise ValueError("oauth: expected either a password or oauth, not both")
        return self


class Imap(Server):
    """`[imap]`: the game's mailbox."""

    folder: Text = "INBOX"
    poll_seconds: Seconds = 30.0
    idle: bool = True

    @property
    def endpoint(self) -> tuple[str, int]:
        """Host and port; the usual port if none is given."""
        return self.host, self.port or (993 if self.tls == "tls" else 143)


class Smtp(Server):
    """`[smtp]`: the way out. `max_per_hour` maps a recipient's domain to letters an hour (`*`: the others)."""

    from_name: Text = "Pleine Lune"
    connections: int = Field(default=4, ge=1, le=20, description="1 to 20 connections at a time")
    max_per_hour: dict[str, Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict, description='letters an hour: a number, or { "gmail.com" = 100, "*" = 500 }'
    )

    @field_validator("max_per_hour", mode="before")
    @classmethod
    def _number_for_all(cls, given: Any) -> Any:
        if isinstance(given, dict):
            return {str(domain).lower(): limit for domain, limit in given.items()}
        return {"*": given}

    @property
    def endpoint(self) -> tuple[str, int]:
        """Host and port; the usual port if none is given."""
        usual = {"tls": 465, "starttls": 587, "none": 25}
        return self.host, self.port or usual[self.tls]

    def hourly_limit(self, address: str) -> int | None:
        """How many letters may go to that address's domain in an hour; None: as many as there are."""
        domain = address.rpartition("@")[2].lower()
        return self.max_per_hour.get(domain, self.max_per_hour.get("*", 0)) or None


class Database(Section):
    """`[database]`: the store, as SQLAlchemy names it. A relative SQLite file is placed like every relative path."""

    url: str = Field(
        default="sqlite:///var/pbem.sqlite",
        pattern=r"^(sqlite://(/.+)?|postgresql\+psycopg://(.*@)?(\[[^\]]*\]|[^:/@?]*)(:\d*)?([/?].*)?)$",
        description='"sqlite:///file" (three strokes, four before a full path) or "postgresql+psycopg://user@host/name"',
    )


class Auth(Section):
    """`[auth]`: how it is known who wrote a mail (MAIL.md § 4). `received_by` is the host that took it from outside."""

    mode: Literal["results", "dkim", "tags-only"] = Field(
        default="results", description='"results" (the mail server\'s verdict), "dkim" (checked here) or "tags-only"'
    )
    authserv_id: Host = ""
    received_by: Host = ""


class Embedded(Section):
    """`[embedded]`: the post office inside the program; it listens on this machine alone."""

    enabled: bool = False
    host: Host = "127.0.0.1"
    smtp_port: Port = 2525
    imap_port: Port = 1143
    maildirs: Place = Field(default=Path("var/mail"), description="a folder for the mailboxes")

    @field_validator("host")
    @classmethod
    def _loopback(cls, host: str) -> str:
        if not is_loopback(host):
            raise ValueError("a loopback address such as 127.0.0.1: the post office serves this machine alone")
        return host


class Limits(Section):
    """`[limits]`: what one mail or one sender may cost."""

    mail_bytes: int = Field(default=1_000_000, ge=10_000, le=50_000_000, description="bytes, 10000 to 50000000")
    text_bytes: int = Field(default=200_000, ge=1_000, le=10_000_000, description="bytes, 1000 to 10000000")
    mime_depth: Count = 20
    mime_parts: Count = 200
    commands_per_mail: Count = 20
    mails_per_hour: Count = 60
    seconds_per_mail: Seconds = 5.0


EXTENSION = timedelta(hours=1)
"""What `outage_extension = "on"` means, and the default."""


def _extension(given: Any) -> Any:
    """A duration, or a word for none or for the usual one."""
    if given == "off" or given is False:
        return timedelta()
    return EXTENSION if given == "on" or given is True else duration(given)


class Rules(Section):
    """`[rules]`: the options that a new game starts with (RULES.md; SCENARIOS.md, *Options*)."""

    executions: tuple[Annotated[str, AfterValidator(weekly_time)], ...] = Field(
        default=("tue 22:00", "thu 22:00", "sun 22:00"),
        min_length=1,
        description='weekly moments, such as ["tue 22:00", "sun 22:00"]',
    )
    min_debate: Window = timedelta(hours=24)
    tie_break: Phase = timedelta(minutes=30)
    sunset: Phase = timedelta(minutes=30)
    vision: Phase = timedelta(minutes=30)
    inactivity: Literal["eliminate", "report", "off"] = Field(
        default="eliminate", description='"eliminate", "report" or "off" (VOTE-7)'
    )
    graveyard_intrusion: Literal["warn", "kill"] = Field(default="warn", description='"warn" or "kill" (ORG-2)')
    outage_extension: Annotated[timedelta, BeforeValidator(_extension)] = Field(
        default=EXTENSION, le=timedelta(days=7), description='"off" or a duration such as 1h, up to 7d'
    )
    """How much time a phase gets whose mailbox could not be read near its end; none: off."""

    def as_options(self) -> dict[str, str | list[str]]:
        """The same in the words of a scenario's `options` (durations as `30m`)."""
        words: dict[str, str | list[str]] = {"executions": list(self.executions)}
        for key in ("min_debate", "tie_break", "sunset", "vision"):
            words[key] = duration_word(getattr(self, key))
        for key in ("inactivity", "graveyard_intrusion"):
            words[key] = str(getattr(self, key))
        words["outage_extension"] = duration_word(self.outage_extension) if self.outage_extension else "off"
        return words


class Archive(Section):
    """`[archive]`: the readers' web site. No folder: none is written. `url` is where readers find it."""

    folder: Place | None = Field(default=Path("var/archive"), description="a folder for the web site")
    url: str = Field(default="", pattern=r"^(https?://\S+)?$", description="an http(s) address, or nothing")
    noindex: bool = False


class Letters(Section):
    """`[letters]`: what goes out. `templates` is a folder of the host's own, whose files come before the program's."""

    templates: Place | None = Field(default=None, description="a folder of your own templates")
    daily_at: Annotated[time, BeforeValidator(clock_time)] = Field(
        default=time(18), description='a time of the day such as "18:00"'
    )


class Monitor(Section):
    """`[monitor]`: how the host is kept informed. No port: no metrics. No addresses in `alerts`: no mails."""

    host: Host = "127.0.0.1"
    port: Port | None = Field(default=None, description="a TCP port (0: any free one)")
    log: Literal["text", "json"] = Field(default="text", description='"text" or "json"')
    alerts: tuple[Address, ...] = Field(default=(), description="addresses, in brackets")
    alert_after: Window = timedelta(minutes=10)

    @field_validator("host")
    @classmethod
    def _loopback(cls, host: str) -> str:
        if not is_loopback(host):
            raise ValueError("a loopback address such as 127.0.0.1: the metrics are for this machine alone")
        return host

    @field_validator("alerts", mode="before")
    @classmethod
    def _one_or_many(cls, given: Any) -> Any:
        return [given] if isinstance(given, str) else given


class Settings(Section):
    """All sections. Made by `pbem.settings.load`."""

    game: Game
    imap: Imap = Imap()
    smtp: Smtp = Smtp()
    database: Database = Database()
    auth: Auth = Auth()
    embedded: Embedded = Embedded()
    limits: Limits = Limits()
    rules: Rules = Rules()
    letters: Letters = Letters()
    archive: Archive = Archive()
    monitor: Monitor = Monitor()

    _origin: str = PrivateAttr(default="settings")
    _variables: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def origin(self) -> str:
        """The file they were read from, for messages."""
        return self._origin

    def refusal(self, key: str, value: object, expected: str) -> ConfigError:
        """That this setting cannot be used, in one line that says where it stands; None as its value is not shown."""
        where = f"environment {self._variables[key]}" if key in self._variables else f"{self._origin}: {key}"
        shown = "(not shown)" if value is None else str(value) if isinstance(value, int) else f'"{value}"'
        return ConfigError(" ".join(f"{where} = {shown}: expected {expected}".split()))

    @property
    def authserv_id(self) -> str:
        """Whose Authentication-Results count; with the embedded post office its own, the game's domain by default."""
        return self.auth.authserv_id or (self.game.domain if self.embedded.enabled else "")
