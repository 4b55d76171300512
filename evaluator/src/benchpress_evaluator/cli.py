"""The evaluator's commands; each is imported only when it is called."""

from benchpress.cli import Command

COMMANDS: dict[str, Command] = {
    "seal": Command("benchpress_evaluator.commands.sealing:seal", "Draw a secret, make and seal a version's items."),
    "run": Command(
        "benchpress_evaluator.commands.running:run", "Put the items to models; resumes where it stopped.", resumes=True
    ),
    "score": Command("benchpress_evaluator.commands.scoring:score", "Score stored answers, offline."),
    "grid": Command("benchpress_evaluator.commands.grids:app", "Configurations to start an experiment grid from."),
    "stats": Command(
        "benchpress_evaluator.commands.statistics:stats", "Accuracy, intervals, statuses and every metric."
    ),
    "compare": Command("benchpress_evaluator.commands.statistics:compare", "Two entrants on their common items."),
    "prepare": Command(
        "benchpress_evaluator.commands.preparing:prepare", "Bring a multiple-choice set into one form, with digests."
    ),
    "export": Command("benchpress_evaluator.commands.publish:export", "Write the publication that the site reads."),
    "audit": Command(
        "benchpress_evaluator.commands.auditing:audit",
        "Compare a version with fresh items of its recipe.",
        resumes=True,
    ),
    "calibrate": Command(
        "benchpress_evaluator.commands.calibrating:calibrate_levels", "Find levels for a target accuracy.", resumes=True
    ),
    "keys": Command("benchpress_evaluator.commands.keys:app", "Make keys, add and rotate recipients, run a drill."),
    "reveal": Command("benchpress_evaluator.commands.keys:reveal", "End the privacy of a retired version, on purpose."),
    "leak-check": Command(
        "benchpress_evaluator.commands.leaks:leak_check", "Look through files for anything of a sealed version."
    ),
    "doctor": Command("benchpress_evaluator.commands.doctor:doctor", "Check versions, journals, keys and providers."),
}
