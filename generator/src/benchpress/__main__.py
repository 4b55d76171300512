"""`python -m benchpress`, for where the command `benchpress` is not on the path."""

from benchpress.cli import main

if __name__ == "__main__":
    main()
