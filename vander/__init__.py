"""The running program: puts the other rooms together, keeps the journal, and answers the command line."""
