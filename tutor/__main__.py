"""`python -m tutor`: the command."""

from tutor.cli.main import main

main()
