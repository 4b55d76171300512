"""The evaluator's commands: thin glue between the rooms and the terminal."""
