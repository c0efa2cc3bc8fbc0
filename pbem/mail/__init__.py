"""Mail in and out: opening it, knowing who wrote it, reading the mailbox, sending, and the embedded post office."""
