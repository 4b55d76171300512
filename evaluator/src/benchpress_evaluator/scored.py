"""The scored cache: what `score` found, for every statistic; encrypted for a sealed version."""

import pandas as pd
from benchpress.errors import UserError

from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.stats.cache import frame_from_bytes, frame_to_bytes
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.storage import MissingError
from benchpress_evaluator.vault.files import read_encrypted, write_encrypted
from benchpress_evaluator.workspace import ItemSet, scored_name


def write_scored(chosen: ItemSet, scored: list[ScoredItem]) -> None:
    """Keep the results frame of an item set beside its journal, in place of the one before."""
    data = frame_to_bytes(results_frame(scored))
    name = scored_name(chosen.version)
    if chosen.data_key is not None:
        write_encrypted(chosen.storage, name, chosen.data_key, data)
        return
    before = chosen.storage.read_tagged(name)
    chosen.storage.write(name, data, expected=before[1] if before else None)


def read_scored(chosen: ItemSet) -> pd.DataFrame:
    """The results frame of an item set. Raises UserError where nothing was scored yet."""
    try:
        if chosen.data_key is not None:
            data = read_encrypted(chosen.storage, scored_name(chosen.version), chosen.data_key)
        else:
            data = chosen.storage.read(scored_name(chosen.version))
    except MissingError:
        raise UserError(
            f"{chosen.version} has no scores yet; `benchpress score` makes them from the stored answers"
        ) from None
    return frame_from_bytes(data)
