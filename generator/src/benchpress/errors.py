"""The one kind of error that a user is meant to see."""


class UserError(Exception):
    """A wrong input: one line that says what is wrong, where, and what to do. The program exits with 2."""
