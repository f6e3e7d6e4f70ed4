"""Writes questions of decisions that training never saw, as models/decisions/measure.ts reads them: all that are measured
into the cache, and a few for the tests.

usage: python held_out_decisions.py
"""

import random
from typing import Any

from corpus import decisions
from corpus.decisions import Item
from corpus.words import Draw
from evaluate import CACHE, FIXTURES, write_lines

SEED = 99
OF_A_TYPE = 200
TESTED_OF_A_TYPE = 20


def as_json(item: Item, number: int) -> dict[str, Any]:
    options = [{"name": name, **({"description": text} if text else {})} for name, text in item.options]
    return {
        "id": f"{item.type} {item.family} {number}",
        "type": item.type,
        "family": item.family,
        "half": "measure" if number % 2 else "fit",
        "input": item.input,
        "instructions": item.instructions,
        "options": options,
        "right": item.right,
    }


def held_out_items() -> list[dict[str, Any]]:
    draw = Draw(random.Random(SEED), held=True)
    found: list[dict[str, Any]] = []
    for kind in decisions.TYPES:
        seen: set[tuple[str, str]] = set()
        while len(seen) < OF_A_TYPE:
            item = decisions.make(draw, kind)
            if (item.input, item.instructions) not in seen:
                found.append(as_json(item, len(seen)))
                seen.add((item.input, item.instructions))
    return found


if __name__ == "__main__":
    items = held_out_items()
    write_lines(CACHE / "decisions.json", items)
    few = [items[place + number] for place in range(0, len(items), OF_A_TYPE) for number in range(TESTED_OF_A_TYPE)]
    write_lines(FIXTURES / "tiny-chat-decide-items.json", few)
