"""Mail text to commands: what a mail means, without a game at hand (MAIL.md §§ 1, 2 and 7)."""
