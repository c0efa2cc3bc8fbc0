"""What several roles share: the mayor's office, love, the question that breaks a tie."""
