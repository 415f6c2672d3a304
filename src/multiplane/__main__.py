"""`python -m multiplane` is the same as `multiplane`."""

from multiplane.cli import main

if __name__ == "__main__":
    main()
