"""How much of an output one workgroup and one thread of a linear kernel compute."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Tiling:
    """``lanes`` threads a workgroup, each with ``columns`` output columns of ``rows`` tokens."""

    lanes: int
    columns: int
    rows: int

    @staticmethod
    def fit(n: int, lanes: int, columns: int, rows: int = 1) -> "Tiling":
        """The tiling of ``n`` columns with at most ``columns`` a thread (``lanes`` must divide n)."""
        while n % (lanes * columns):
            columns -= 1
        return Tiling(lanes, columns, rows)
