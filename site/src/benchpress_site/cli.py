"""What the site adds to the `benchpress` program; imported for its help, so it imports nothing heavy."""

from benchpress.cli import Command

COMMANDS = {"site": Command("benchpress_site.commands:app", "Build the leaderboard site, or serve it.")}
