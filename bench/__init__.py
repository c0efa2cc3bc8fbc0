"""What the program costs. `make bench` runs all of it; each module here measures one thing and returns its figures."""
