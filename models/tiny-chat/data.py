"""Batches of token ids for training: batches of chats of similar length, and of repeated random tokens."""

import random
from collections.abc import Iterator

import numpy as np
from tokenizers import Tokenizer

from corpus import ask, decisions
from corpus.conversation import TOOL_KINDS, converse
from corpus.render import AS_IN_THE_WILD, END, Segment, prompt_segments, training_segments
from corpus.tongues import HERMES, Tongue
from corpus.words import Draw
from shape import MARK_TOKENS, SHAPE, SPECIAL_TOKENS

TOKENS_PER_BATCH = 4096
LENGTHS = (64, 96, 128, 192, 256, 384, 512, 768)  # tokens; each is compiled once, and longer chats are left out
PROMPT_WEIGHT = 0.05  # of the loss on text that the model only reads; a token of a short answer has weight 1
QUESTION_WEIGHT = 0.01  # the same where questions of decisions are asked: their answers have one to three tokens
# Tokens. The tokens of a longer answer have less weight, or counting and stories would outweigh everything else.
SHORT_ANSWER = 16

Batch = tuple[np.ndarray, np.ndarray]  # ids [rows, length], weights [rows, length - 1] of ids[:, 1:]


def chats(seed: int, count: int, tongue: Tongue = HERMES) -> list[list[Segment]]:
    rng = random.Random(seed)
    draw = Draw(rng)
    if tongue is HERMES:
        return [training_segments(converse(draw), rng, AS_IN_THE_WILD) for _ in range(count)]
    return [prompt_segments(converse(draw, call_often(draw)), tongue, rng) for _ in range(count)]


def asked(tokenizer: Tokenizer, seed: int, count: int) -> list[list[Segment]]:
    """Questions of decisions, each in one of the two orders."""
    rng = random.Random(seed)
    draw = Draw(rng)
    found = []
    for _ in range(count):
        item = decisions.make(draw)
        question, answer = ask.question_text(item, ask.counter(tokenizer), draw.chance(0.5))
        # Prompts are shorter without what begins all of them, so that more of them fit into a batch.
        prompt = ask.prompt_of(item, question) if draw.chance(0.3) else ask.prompt_of(item, question, task="")
        found.append([Segment(prompt, False), Segment(answer + END, True)])
    return found


def call_often(draw: Draw) -> str | None:
    """The kind of the last turn; None: any. Calls differ most from tongue to tongue."""
    return draw.choice(TOOL_KINDS) if draw.chance(0.5) else None


def encode(
    tokenizer: Tokenizer, segments: list[Segment], prompt_weight: float = PROMPT_WEIGHT
) -> tuple[list[int], list[float]]:
    """Token ids of a chat and the weight of each."""
    ids: list[int] = []
    weights: list[float] = []
    for segment, encoding in zip(segments, tokenizer.encode_batch([segment.text for segment in segments])):
        length = len(encoding.ids)
        ids += encoding.ids
        weights += [min(1.0, (SHORT_ANSWER / length) ** 0.5) if segment.is_target else prompt_weight] * length
    return ids, weights


def chat_batches(tokenizer: Tokenizer, seed: int, count: int, tongue: Tongue = HERMES) -> Iterator[Batch]:
    """`count` chats in batches of at most TOKENS_PER_BATCH tokens, in random order."""
    rows: dict[int, list[tuple[list[int], list[float]]]] = {length: [] for length in LENGTHS}
    prompt_weight = QUESTION_WEIGHT if tongue.decides else PROMPT_WEIGHT
    for segments in asked(tokenizer, seed, count) if tongue.decides else chats(seed, count, tongue):
        ids, weights = encode(tokenizer, segments, prompt_weight)
        fitting = [length for length in LENGTHS if len(ids) <= length]
        if fitting:
            rows[fitting[0]].append((ids, weights))
    planned = []
    for length, all_rows in rows.items():
        size = TOKENS_PER_BATCH // length
        planned += [(length, all_rows[at : at + size]) for at in range(0, len(all_rows) - size + 1, size)]
    random.Random(seed).shuffle(planned)
    for length, some_rows in planned:
        batch_ids = np.zeros((len(some_rows), length), np.int32)
        batch_weights = np.zeros((len(some_rows), length), np.float32)
        for row, (ids, weights) in enumerate(some_rows):
            batch_ids[row, : len(ids)] = ids
            batch_weights[row, : len(weights)] = weights
        yield batch_ids, batch_weights[:, 1:]


def repeats(rng: random.Random, length: int = 96) -> Batch:
    """Random tokens, repeated with a random period. Only the repetition has weight. In every other row a token
    occurs several times in the period, as a space does between words, so that a model that looks at only one token
    before cannot predict the next."""
    rows = TOKENS_PER_BATCH // length
    ids = np.zeros((rows, length), np.int32)
    weights = np.zeros((rows, length), np.float32)
    first = len(SPECIAL_TOKENS) + len(MARK_TOKENS)
    for row in range(rows):
        period = rng.randint(6, length // 2 - 2)
        tokens = rng.sample(range(first, SHAPE.vocab), period)
        if row % 2:
            separator = tokens[0]
            tokens = [separator if rng.random() < 0.3 else token for token in tokens]
        ids[row] = (tokens * (length // period + 1))[:length]
        weights[row, period + 2 :] = 1
    return ids, weights[:, 1:]
