"""The state machine of a game. Each module is a phase or two; `TRANSITIONS` in `decide` is the table."""
