"""A byte-level BPE tokenizer that gives a word the same tokens in every place.

Ordinary BPE joins a space to the word after it. So `lemon` at the start of an answer is another token than ` lemon`
in the question, and a tiny model has to learn every such pair before it can copy words. Here a space is a token of
its own, except before the fixed words of the corpus, which are never copied. Digits and newlines are single tokens
too, so that a text that is cut at a newline is cut between tokens.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from corpus.words import ADJECTIVES, CAPITALS, CITIES, COLOURS, NAMES, SKIES, SYLLABLES, WORDS
from shape import MARK_TOKENS, SHAPE, SPECIAL_TOKENS

SPACE = "Ġ"  # how byte-level BPE writes a space
GLUED_WORDS = 100  # number of tokens that are a word or sign together with the space before it
COPIED = {*NAMES, *CITIES, *CAPITALS, *WORDS, *COLOURS, *SKIES, *ADJECTIVES}


def pre_tokenizer(split_spaces: bool) -> pre_tokenizers.PreTokenizer:
    steps = [pre_tokenizers.Split("\n", "isolated"), pre_tokenizers.Digits(individual_digits=True)]
    if split_spaces:
        steps.append(pre_tokenizers.Split(" ", "isolated"))
    return pre_tokenizers.Sequence([*steps, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])


def glued(texts: list[str], vocabulary: set[str]) -> list[str]:
    """The most frequent single tokens after a space, without those that begin a word that is copied."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(re.findall(r" ([A-Za-z]{2,}|[^\sA-Za-z0-9]+)", text))
    starts = tuple(word.lower() for word in COPIED) + tuple(SYLLABLES)

    def fits(word: str) -> bool:
        is_copied = word.isalpha() and any(start.startswith(word.lower()) for start in starts)
        return word in vocabulary and not is_copied

    return [word for word, _ in counts.most_common() if fits(word)][:GLUED_WORDS]


def train_tokenizer(texts: Iterable[str]) -> Tokenizer:
    texts = list(texts)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer(split_spaces=True)
    trainer = trainers.BpeTrainer(
        vocab_size=SHAPE.vocab - GLUED_WORDS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=[*SPECIAL_TOKENS, *MARK_TOKENS],
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    document: dict[str, Any] = json.loads(tokenizer.to_str())
    vocabulary, merges = document["model"]["vocab"], document["model"]["merges"]
    # These merges are the last in the list, so that they apply to whole words only.
    for word in glued(texts, set(vocabulary)):
        merges.append([SPACE, word])
        vocabulary[SPACE + word] = len(vocabulary)
    if len(vocabulary) != SHAPE.vocab:
        raise ValueError(f"the vocabulary has {len(vocabulary)} tokens instead of {SHAPE.vocab}")
    for token in document["added_tokens"]:
        token["special"] = token["content"] in SPECIAL_TOKENS
    tokenizer = Tokenizer.from_str(json.dumps(document))
    tokenizer.pre_tokenizer = pre_tokenizer(split_spaces=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def rename(tokenizer: Tokenizer, names: dict[str, str]) -> Tokenizer:
    """Gives added tokens other names and makes them control tokens."""
    document: dict[str, Any] = json.loads(tokenizer.to_str())
    vocabulary: dict[str, int] = document["model"]["vocab"]
    document["model"]["vocab"] = {names.get(token, token): number for token, number in vocabulary.items()}
    for token in document["added_tokens"]:
        if token["content"] in names:
            token |= {"content": names[token["content"]], "special": True}
    return Tokenizer.from_str(json.dumps(document))
