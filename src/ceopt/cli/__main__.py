"""`python -m ceopt.cli`, where the command `ceopt` is not on the path."""

from ceopt.cli.main import main

main(prog_name="ceopt")
