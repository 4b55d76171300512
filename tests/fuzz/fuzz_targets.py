"""Every target, by its name, and the faults that are known and open."""

import targets_answers
import targets_configuration
import targets_files
import targets_storage
from fuzzing import OpenFault, Target

TARGETS: dict[str, Target] = {
    target.name: target
    for room in (targets_answers, targets_files, targets_configuration, targets_storage)
    for target in room.TARGETS
}

OPEN: tuple[OpenFault, ...] = ()
