"""Measures the committed pack on held-out questions, and writes the report and the cases for the tests.

usage: PYTHONPATH=../training python evaluate.py [--write]
"""

import argparse
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from export import PACK
from groups import Group, draw_group
from hub_files import Runner, write_json

HERE = Path(__file__).resolve().parent
CASES = HERE.parents[1] / "test" / "fixtures" / "tiny-rerank-cases.json"
SEED = 2024
QUESTIONS = 500
DOCUMENTS = 10
# `roles` and `swaps` of draw_group.
SORTS = {"one word differs": (False, 0.0), "the two persons, cities or teams are swapped": (True, 1.0)}
CASE_DOCUMENTS = 5
OFFERED_CASES = 20
CLEAR = 0.1  # the scores of a case are at least this far from 0.5


def count(hits: np.ndarray) -> dict[str, Any]:
    return {"hits": int(hits.sum()), "of": hits.size, "percent": round(100 * float(hits.mean()), 1)}


def measure(runner: Runner, groups: list[Group]) -> dict[str, Any]:
    scores = np.array([runner.scores(group.pairs) for group in groups])
    right = np.array([group.right for group in groups])
    is_right = np.arange(DOCUMENTS) == right[:, None]
    return {
        "the right document is first": count(scores.argmax(axis=1) == right),
        "the right document scores above 0.5": count(scores[is_right] > 0.5),
        "a wrong document scores below 0.5": count(scores[~is_right] < 0.5),
    }


def case(runner: Runner, group: Group) -> dict[str, Any] | None:
    """The group with its scores, if the model is right about each document."""
    scores = runner.scores(group.pairs)
    is_right = np.arange(len(scores)) == group.right
    if not np.where(is_right, scores > 0.5 + CLEAR, scores < 0.5 - CLEAR).all():
        return None
    rounded = [round(float(score), 4) for score in scores]
    return {"query": group.question, "documents": group.documents, "right": group.right, "scores": rounded}


def write_cases(runner: Runner, rng: random.Random) -> None:
    cases: list[dict[str, Any]] = []
    while len(cases) < OFFERED_CASES:
        found = case(runner, draw_group(rng, CASE_DOCUMENTS, held=True))
        cases += [found] if found else []
    write_json(CASES, cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the report and the cases")
    options = parser.parse_args()
    runner, rng = Runner(PACK), random.Random(SEED)
    report: dict[str, Any] = {"documents": DOCUMENTS}
    for name, (roles, swaps) in SORTS.items():
        groups = [draw_group(rng, DOCUMENTS, held=True, roles=roles, swaps=swaps) for _ in range(QUESTIONS)]
        report[name] = measure(runner, groups)
    print(json.dumps(report, indent=2))
    if options.write:
        write_json(HERE / "report.json", report)
        write_cases(runner, rng)


if __name__ == "__main__":
    main()
