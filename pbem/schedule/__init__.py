"""When things happen: the clockwork that wakes the program at its deadlines."""
