"""The tokenizer: byte-level BPE with tiny-chat's special tokens and those of pictures."""

import json
import random

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from drawings import COLOURS, SHAPES
from questions import BOTH, COLOUR, HELLO, HELLOS, NO_PICTURE, NTH, SHAPE, SYSTEMS, TWO, article, sentence
from sizes import IMAGE_TOKENS, SPECIAL_TOKENS, TEXT, TWO_LINES

SEED = 3


def texts() -> list[str]:
    rng = random.Random(SEED)
    found = [*BOTH, *COLOUR, *SHAPE, *TWO, *HELLOS, *SYSTEMS, HELLO, NO_PICTURE, "user", "assistant", "system"]
    found += [question.format(number) for question in NTH for number in ("first", "second", "third")]
    for colour in COLOURS:
        found.append(sentence(colour))
        found += [sentence(f"{article(colour)} {shape} and {article(rng.choice(SHAPES))}") for shape in SHAPES]
    found += [sentence(article(shape)) for shape in SHAPES]
    return found


def train_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    # llama.cpp's `smollm` does not split at newlines, but no merge has one.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split("\n", "isolated"),
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=TEXT.vocab,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=[*SPECIAL_TOKENS, *IMAGE_TOKENS, TWO_LINES],
        min_frequency=1,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts(), trainer)
    document = json.loads(tokenizer.to_str())
    for token in document["added_tokens"]:
        token["special"] = token["content"] != TWO_LINES
    if len(document["model"]["vocab"]) != TEXT.vocab:
        raise ValueError(f"the vocabulary has {len(document['model']['vocab'])} tokens instead of {TEXT.vocab}")
    return Tokenizer.from_str(json.dumps(document))
