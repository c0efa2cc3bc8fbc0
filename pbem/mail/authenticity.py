"""Who wrote a mail, as far as the receiving server can tell (MAIL.md § 4, RFC 8601, RFC 7489)."""
from __future__ import annotations
