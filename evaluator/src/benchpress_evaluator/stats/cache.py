"""The results frame as bytes: columns of numbers and category codes, for a cache that loads in an instant.

A NumPy ``.npz`` archive without pickles: one array per column, and `schema`, JSON text that names the columns in
order with their categories. Same frame, same bytes. The bytes hold what was answered, so for a sealed version they
are encrypted before they are stored.
"""

import io
import json
from typing import Any

import numpy as np
import pandas as pd
from benchpress.errors import UserError

from benchpress_evaluator.stats.frame import categorical

FORMAT = "benchpress.results-frame/1"


def frame_to_bytes(frame: pd.DataFrame) -> bytes:
    """`frame` in columnar form."""
    columns: list[dict[str, Any]] = []
    arrays: dict[str, Any] = {}
    for place, name in enumerate(frame.columns):
        column = frame[name]
        described: dict[str, Any] = {"name": name}
        if isinstance(column.dtype, pd.CategoricalDtype):
            described["categories"] = list(column.cat.categories)
            arrays[f"c{place}"] = column.cat.codes.to_numpy()
        else:
            arrays[f"c{place}"] = column.to_numpy()
        columns.append(described)
    schema = json.dumps({"format": FORMAT, "columns": columns}, ensure_ascii=False).encode()
    out = io.BytesIO()
    np.savez_compressed(out, schema=np.frombuffer(schema, dtype=np.uint8), **arrays)
    return out.getvalue()


def frame_from_bytes(data: bytes) -> pd.DataFrame:
    """The frame that :func:`frame_to_bytes` wrote. Raises UserError for anything else."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            schema = json.loads(archive["schema"].tobytes())
            if schema["format"] != FORMAT:
                raise ValueError(schema["format"])
            columns: dict[str, Any] = {}
            for place, described in enumerate(schema["columns"]):
                values = archive[f"c{place}"]
                if "categories" in described:
                    columns[described["name"]] = categorical(values, described["categories"])
                else:
                    columns[described["name"]] = values
    except Exception as problem:  # noqa: BLE001 - a broken archive fails in as many ways as zip and JSON can
        raise UserError(
            f"the cache of scored results cannot be read ({problem}); run `benchpress score` to write it anew"
        ) from None
    return pd.DataFrame(columns)
