"""The command line: one file a group of commands; what is heavy is imported inside them."""
