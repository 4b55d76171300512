"""How a formal problem is put into words: cover stories, printed facts, and the vocabulary lint."""
