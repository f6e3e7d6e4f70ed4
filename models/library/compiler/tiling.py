"""How much of an output one workgroup and one thread of a linear kernel compute."""

import dataclasses

LANES = 8  # threads a workgroup: two SIMD groups on a CPU adapter
MIN_BLOCKS = 4  # workgroups to have at least, so that all cores of a CPU adapter get some


@dataclasses.dataclass(frozen=True)
class Tiling:
    """``lanes`` threads a workgroup, each with ``columns`` output columns of ``rows`` tokens."""

    lanes: int
    columns: int
    rows: int

    @staticmethod
    def fit(n: int, columns: int, rows: int = 1) -> "Tiling":
        """The tiling of ``n`` columns with at most ``columns`` a thread."""
        if n % LANES:
            raise ValueError(f"{n} columns are not a multiple of {LANES}")
        while columns > 1 and (n % (LANES * columns) or n // (LANES * columns) < MIN_BLOCKS):
            columns -= 1
        return Tiling(LANES, columns, rows)
