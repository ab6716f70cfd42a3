"""All games of a kind as arrays: self-play, samples for training, and files of both."""
