"""How much of the output one workgroup and one thread of a linear kernel compute."""

import dataclasses

LANES = 8  # threads per workgroup: two SIMD groups on a CPU adapter
MIN_BLOCKS = 4  # smallest number of workgroups, so that every core of a CPU adapter has work


@dataclasses.dataclass(frozen=True)
class Tiling:
    """A workgroup has ``lanes`` threads. Each computes ``columns`` output columns of ``rows`` tokens."""

    lanes: int
    columns: int
    rows: int

    @staticmethod
    def fit(n: int, columns: int, rows: int = 1) -> "Tiling":
        """The tiling of ``n`` columns with at most ``columns`` per thread."""
        if n % LANES:
            raise ValueError(f"{n} columns are not a multiple of {LANES}")
        while columns > 1 and (n % (LANES * columns) or n // (LANES * columns) < MIN_BLOCKS):
            columns -= 1
        return Tiling(LANES, columns, rows)
