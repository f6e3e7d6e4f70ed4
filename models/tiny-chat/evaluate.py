"""Measures the quantised model on held-out prompts. An answer counts only if every character is right.

usage: python evaluate.py [TRAINED_DIR] [--tongue NAME] [--count N] [--write]
"""

import argparse
import json
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from tokenizers import Tokenizer

import checkpoint
from corpus.tongues import HERMES, TONGUES, Tongue
from decode import greedy
from everyday import everyday_cases
from held_out import Case, held_out_cases
from quantise import Params, quantised

HERE = Path(__file__).resolve().parent
CACHE = HERE.parents[1] / ".cache" / "tiny-chat"
FIXTURES = HERE.parents[1] / "test" / "fixtures"
# How many cases of each kind and thinking mode the fixture has, for prompts with tools (True) and without.
CASES_PER_THINKING = {True: 1, False: 2}
SAFE_MARGIN = 1.0  # logits; adding up in another order changes them by less than a hundredth of it
LONGEST_FIXTURE_PROMPT = {True: 1300, False: 900}  # characters, for prompts with tools (True) and without


@dataclass(frozen=True)
class Result:
    case: Case
    got: str
    margin: float

    @property
    def exact(self) -> bool:
        return self.got == self.case.prompt.expect


def load(trained: Path) -> tuple[Tokenizer, Params]:
    """The tokenizer, and the weights as they are in the pack."""
    weights = checkpoint.load(trained / "model.safetensors")
    params = jax.jit(quantised)({name: jnp.asarray(value) for name, value in weights.items()})
    return Tokenizer.from_file(str(trained / "tokenizer.json")), params


def answer(tokenizer: Tokenizer, params: Params, cases: list[Case], tongue: Tongue) -> list[Result]:
    ends = [tokenizer.token_to_id(end) for end in tongue.ends]
    ids = [tokenizer.encode(case.prompt.text).ids for case in cases]
    expected = [len(tokenizer.encode(case.prompt.expect).ids) for case in cases]
    results = []
    for case, output in zip(cases, greedy(params, ids, expected, ends)):
        got = tokenizer.decode(output.ids, skip_special_tokens=False) + ("" if output.ended else " (no end)")
        results.append(Result(case, got, output.margin))
    return results


def tally(results: list[Result]) -> dict[str, Any]:
    """Counts and percentages of exact answers: by kind, by thinking mode, of calls, and of all."""
    counts: dict[str, dict[str, list[bool]]] = {"kinds": defaultdict(list), "thinking": defaultdict(list)}
    counts["calls"] = defaultdict(list)
    for result in results:
        counts["kinds"][result.case.kind].append(result.exact)
        counts["thinking"][result.case.prompt.thinking].append(result.exact)
        if result.case.prompt.calls:
            counts["calls"]["calls"].append(result.exact)
    counts["all"] = {"all": [result.exact for result in results]}

    def row(exact: list[bool]) -> dict[str, float]:
        return {"exact": sum(exact), "of": len(exact), "percent": round(100 * sum(exact) / len(exact), 1)}

    return {group: {name: row(exact) for name, exact in rows.items()} for group, rows in counts.items()}


def as_fixture(case: Case, tongue: Tongue) -> dict[str, Any]:
    prompt = case.prompt
    tools = {"tools": prompt.tools} if prompt.tools else {}
    row = {"kind": case.kind, "messages": prompt.messages, **tools}
    if tongue is HERMES:
        return {**row, **tongue.variables[prompt.thinking], "prompt": prompt.text, "expect": prompt.expect}
    calls = [{"name": call.name, "arguments": call.arguments} for call in prompt.calls]
    parts = {"thought": prompt.thought, "calls": calls, "text": prompt.answer}
    return {**row, "variables": tongue.variables[prompt.thinking], "prompt": prompt.text, "expect": parts}


def choose_fixtures(results: list[Result], tongue: Tongue) -> list[dict[str, Any]]:
    """Cases that the model answers right by a clear margin: all everyday ones, and a few of each kind and thinking
    mode. Of cases with tools the shortest are chosen, because tool definitions make up most of the file. Only these are
    chosen for tongues that tiny-chat learnt later."""

    def size(result: Result) -> int:
        return len(result.case.prompt.text) if result.case.prompt.tools else 0

    chosen: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for result in sorted(results, key=size):
        case, prompt = result.case, result.case.prompt
        taken = chosen[case.kind, prompt.thinking]
        wanted = case.kind == "everyday" or len(taken) < CASES_PER_THINKING[bool(prompt.tools)]
        short = len(prompt.text) <= LONGEST_FIXTURE_PROMPT[bool(prompt.tools)]
        told = tongue is HERMES or bool(prompt.tools)
        if told and wanted and short and result.exact and result.margin >= SAFE_MARGIN:
            taken.append(case)
    return [as_fixture(case, tongue) for _, cases in sorted(chosen.items()) for case in cases]


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    """Writes JSON with one case on each line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def show_mistakes(results: list[Result], most: int = 4) -> None:
    """Prints the first few mistakes of each kind."""
    shown: dict[str, int] = defaultdict(int)
    for result in results:
        kind, prompt = result.case.kind, result.case.prompt
        if result.exact or shown[kind] == most:
            continue
        shown[kind] += 1
        print(f"  {kind} ({prompt.thinking}) {prompt.messages[-1]['content'][-70:]!r}")
        print(f"    {prompt.expect[-150:]!r}\n    {result.got[-150:]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path, nargs="?", default=HERE / "trained")
    parser.add_argument("--tongue", choices=TONGUES, default=HERMES.name)
    parser.add_argument("--count", type=int, default=200, help="held-out prompts of each kind")
    parser.add_argument("--write", action="store_true", help="write report.json and the tests' cases")
    options = parser.parse_args()
    tongue = TONGUES[options.tongue]
    started = time.monotonic()
    tokenizer, params = load(options.trained)
    held_out = answer(tokenizer, params, held_out_cases(options.count, tongue=tongue), tongue)
    everyday = answer(tokenizer, params, everyday_cases(tongue), tongue)
    report = tally(held_out)
    for group, rows in report.items():
        for name, row in rows.items():
            print(f"{group:9} {name:20} {row['exact']:4} of {row['of']:4}  {row['percent']:5.1f} %")
    show_mistakes([*everyday, *held_out])
    print(f"everyday: {sum(result.exact for result in everyday)} of {len(everyday)}")
    print(f"{time.monotonic() - started:.0f} s")
    suffix = "" if tongue is HERMES else f"-{tongue.name}"
    write_lines(CACHE / f"held-out{suffix}.json", [as_fixture(result.case, tongue) for result in held_out])
    if options.write:
        if tongue is not HERMES:
            report |= {"calls": report["calls"]["calls"], "all": report["all"]["all"]}
        report = {"prompts_of_a_kind": options.count, **report}
        (tongue.folder / "report.json").write_text(json.dumps(report, indent=1) + "\n")
        fixture = FIXTURES / f"tiny-chat{suffix}-cases.json"
        write_lines(fixture, choose_fixtures([*everyday, *held_out], tongue))
        print(f"{fixture.name}: {fixture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
