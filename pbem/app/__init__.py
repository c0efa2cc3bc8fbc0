"""The application: a mail in, its effect and its answer out; time passing; and what a host looks at."""

from __future__ import annotations
