"""`python -m vander`: the command line where the interpreter's own options matter, such as -I on the box."""

from vander.cli.main import main

if __name__ == "__main__":
    main()
