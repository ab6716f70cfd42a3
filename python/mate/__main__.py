"""`python -m mate` is the command `mate`."""

from mate.cli import main

if __name__ == "__main__":
    main()
