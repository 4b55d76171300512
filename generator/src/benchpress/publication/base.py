"""What every published model is made of: a frozen, closed base, shares and counts, intervals."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Signed = Annotated[float, Field(ge=-1, le=1)]
Count = Annotated[int, Field(ge=0)]
IsoDate = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Published(BaseModel):
    """Frozen, and closed to any field that is not declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Interval(Published):
    """A point estimate with a 95 % interval; `unit` is what was resampled or counted, `method` how."""

    value: Share
    low: Share
    high: Share
    unit: str
    method: str


class Difference(Published):
    """A difference of two shares, in [-1, 1], with a 95 % interval; null limits are withheld or unknown."""

    value: Signed
    low: Signed | None
    high: Signed | None


class Spread(Published):
    """Median and 90th percentile over a condition's answers; null where the vendor reports nothing."""

    median: float | None
    p90: float | None
