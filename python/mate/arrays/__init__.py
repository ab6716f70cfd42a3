"""Games by the million, as numpy arrays: played, labelled, told to programs that learn."""
