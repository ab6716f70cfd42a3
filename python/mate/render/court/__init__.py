"""Court Piece for people: the table, sentences, the score sheet, and what an analysis says."""
