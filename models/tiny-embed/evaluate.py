"""Measures the committed pack on held-out facts, and writes the report and the cases for the tests.

usage: PYTHONPATH=../training python evaluate.py [--write]
"""

import argparse
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from export import DIMENSIONS, PACK
from facts import (
    DOCUMENT_PROMPT,
    QUERY_PROMPT,
    Fact,
    Template,
    draw_fact,
    draw_paraphrase,
    draw_passage,
    neighbour,
    say,
)
from hub_files import Runner, write_json

HERE = Path(__file__).resolve().parent
CASES = HERE.parents[1] / "test" / "fixtures" / "tiny-embed-cases.json"
SEED = 2024
CANDIDATES = 1000
NEIGHBOURS = 9  # texts whose facts differ in one word
OFFERED_CASES = 40  # of each sort
VECTORS = 5
VALUES = 8  # the beginning of each vector

Pair = tuple[str, str]


def draw_facts(rng: random.Random) -> list[Fact]:
    facts: dict[Fact, None] = {}
    while len(facts) < CANDIDATES:
        facts[draw_fact(rng, held=True)] = None
    return list(facts)


def count(hits: np.ndarray) -> dict[str, Any]:
    return {"first": int(hits.sum()), "of": hits.size, "percent": round(100 * float(hits.mean()), 1)}


def best(runner: Runner, pairs: list[Pair], dimensions: int) -> np.ndarray:
    """For each first text, the index of the nearest of all second texts."""
    first, second = (runner.embed(texts, dimensions) for texts in zip(*pairs, strict=True))
    return (first @ second.T).argmax(axis=1)


def paraphrases(runner: Runner, pairs: list[Pair], dimensions: int) -> np.ndarray:
    return best(runner, pairs, dimensions) == np.arange(len(pairs))


def answers(runner: Runner, facts: list[Fact], asked: list[Template], pairs: list[Pair], dimensions: int) -> np.ndarray:
    """A passage is right if its fact agrees with all that the question mentions."""
    found = best(runner, pairs, dimensions)
    return np.array(
        [facts[at].agrees(fact, question.slots) for at, fact, question in zip(found, facts, asked, strict=True)]
    )


def nearly_the_same(runner: Runner, rng: random.Random, facts: list[Fact], dimensions: int) -> np.ndarray:
    """Paraphrases among texts that differ from them in one word."""
    hits = []
    for fact in facts[:200]:
        slots = frozenset(name for name, _ in fact.frame.slots)
        text, right = draw_paraphrase(rng, fact, held=True)
        others = [neighbour(rng, fact, slots, held=None) for _ in range(NEIGHBOURS)]
        texts = [text, right, *(say(rng, rng.choice(fact.frame.statements), other) for other in others)]
        vectors = runner.embed(texts, dimensions)
        hits.append((vectors[1:] @ vectors[0]).argmax() == 0)
    return np.array(hits)


def vector_case(runner: Runner, text: str) -> dict[str, Any]:
    values = runner.embed([text], max(DIMENSIONS))[0, :VALUES]
    tokens = len(runner.tokenizer.encode(text))
    return {"text": text, "tokens": tokens, "vector_start": [round(float(value), 5) for value in values]}


def write_cases(runner: Runner, plain: list[Pair], asked: list[Pair]) -> None:
    """Of the texts that the model gets right, with the prompts left out."""
    size = max(DIMENSIONS)
    named = [(QUERY_PROMPT + query, DOCUMENT_PROMPT + passage) for query, passage in asked]
    right_plain = [pair for pair, hit in zip(plain, paraphrases(runner, plain, size), strict=True) if hit]
    right_asked = [pair for pair, hit in zip(asked, paraphrases(runner, named, size), strict=True) if hit]
    cases = {
        "paraphrases": [{"text": text, "paraphrase": other} for text, other in right_plain[:OFFERED_CASES]],
        "questions": [{"query": query, "passage": passage} for query, passage in right_asked[:OFFERED_CASES]],
        "vectors": [vector_case(runner, text) for text, _ in right_plain[OFFERED_CASES:][:VECTORS]],
    }
    write_json(CASES, cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the report and the cases")
    options = parser.parse_args()
    runner, rng = Runner(PACK), random.Random(SEED)
    facts = draw_facts(rng)
    plain = [draw_paraphrase(rng, fact, held=True) for fact in facts]
    questions = [rng.choice(fact.frame.questions) for fact in facts]
    asked = [
        (say(rng, question, fact), draw_passage(rng, fact)) for question, fact in zip(questions, facts, strict=True)
    ]
    named = [(QUERY_PROMPT + query, DOCUMENT_PROMPT + passage) for query, passage in asked]
    report: dict[str, Any] = {"candidates": CANDIDATES, "dimensions": {}}
    for size in DIMENSIONS:
        report["dimensions"][size] = {
            "paraphrases": count(paraphrases(runner, plain, size)),
            "questions, with prompts": count(answers(runner, facts, questions, named, size)),
            "questions, without prompts": count(answers(runner, facts, questions, asked, size)),
            "paraphrases, among ten texts that differ in one word": count(nearly_the_same(runner, rng, facts, size)),
        }
    print(json.dumps(report, indent=2))
    if options.write:
        write_json(HERE / "report.json", report)
        write_cases(runner, plain, asked)


if __name__ == "__main__":
    main()
