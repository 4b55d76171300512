"""Every target, by its name."""

import targets_answers
import targets_configuration
import targets_files
import targets_pages
import targets_servers
import targets_storage
from fuzzing import Target

ROOMS = (targets_answers, targets_files, targets_configuration, targets_storage, targets_servers, targets_pages)
TARGETS: dict[str, Target] = {target.name: target for room in ROOMS for target in room.TARGETS}
