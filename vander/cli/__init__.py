"""The command line: `main` has the table of commands, and every command is a module of its own."""
