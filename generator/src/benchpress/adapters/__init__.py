"""Items and their scorer where other programs expect them. A file needs its program only when used."""
