"""The whole model in JAX: where its text has a picture, it reads what the eye sees of it."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

import eye
from model import forward_embedded, logits
from quantise import Params
from questions import PICTURE, Message
from sizes import AROUND, EYE, TEXT, TILE, TWO_LINES, WHOLE

NOT_SEEN = -1  # in `seen`, where a text has a token of its own


def initial_text(seed: int) -> Params:
    rng = np.random.default_rng(seed)

    def matrix(rows: int, columns: int, size: float = 1.0) -> jax.Array:
        return jnp.asarray(rng.normal(0, size / np.sqrt(rows), (rows, columns)), jnp.float32)

    params = {
        "embed_tokens": jnp.asarray(rng.normal(0, 0.3, (TEXT.vocab, TEXT.hidden)), jnp.float32),
        "norm": jnp.ones(TEXT.hidden),
    }
    deep = 1 / np.sqrt(2 * TEXT.layers)
    for layer in range(TEXT.layers):
        name = f"layers.{layer}"
        params |= {
            f"{name}.attn_norm": jnp.ones(TEXT.hidden),
            f"{name}.qkv": matrix(TEXT.hidden, TEXT.qkv_width),
            f"{name}.o": matrix(TEXT.q_width, TEXT.hidden, deep),
            f"{name}.ffn_norm": jnp.ones(TEXT.hidden),
            f"{name}.gate_up": matrix(TEXT.hidden, 2 * TEXT.ffn),
            f"{name}.down": matrix(TEXT.ffn, TEXT.hidden, deep),
        }
    return params


def initial_weights(seed: int) -> Params:
    return initial_text(seed) | eye.initial_weights(seed)


class Reader:
    """Turns conversations into token ids, as llama.cpp does with the template."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.ids = {token["content"]: token["id"] for token in json.loads(tokenizer.to_str())["added_tokens"]}

    @staticmethod
    def load(path: Path) -> "Reader":
        return Reader(Tokenizer.from_file(str(path)))

    def text(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def picture(self, at: int) -> tuple[list[int], list[int]]:
        """The tokens of picture number `at`: its only tile, and then the whole, which is the same."""
        seen = list(range(at * EYE.tokens, (at + 1) * EYE.tokens))
        ids, slots = [], []
        for tokens in ((AROUND, TILE), (TWO_LINES, AROUND, WHOLE)):
            ids += [self.ids[token] for token in tokens] + [0] * EYE.tokens
            slots += [NOT_SEEN] * len(tokens) + seen
        return [*ids, self.ids[AROUND]], [*slots, NOT_SEEN]

    def read(self, messages: list[Message], pictures: int = 0) -> tuple[list[int], list[int], list[bool]]:
        """Ids, which of the eye's tokens stand in their places, and whether they are part of an answer.

        `pictures` are those of conversations that came before in a batch.
        """
        ids: list[int] = []
        seen: list[int] = []
        answers: list[bool] = []

        def add(more: list[int], slots: list[int] | None = None, is_answer: bool = False) -> None:
            ids.extend(more)
            seen.extend(slots or [NOT_SEEN] * len(more))
            answers.extend([is_answer] * len(more))

        for message in messages:
            before = f"<|im_start|>{message.role}\n"
            if message.role == "assistant":
                add(self.text(before))
                add(self.text(message.given))
                add(self.text(f"{message.content[len(message.given) :]}<|im_end|>"), is_answer=True)
                add(self.text("\n"))
                continue
            parts = f"{before}{message.content}<|im_end|>\n".split(PICTURE)
            for number, part in enumerate(parts):
                if number > 0:
                    add(*self.picture(pictures))
                    pictures += 1
                add(self.text(part))
        return ids, seen, answers


def embedded(params: Params, seen_tokens: jax.Array, ids: jax.Array, seen: jax.Array) -> jax.Array:
    """seen_tokens [pictures, tokens, hidden], ids and seen [batch, time] -> [batch, time, hidden]."""
    flat = seen_tokens.reshape(-1, TEXT.hidden)
    return jnp.where((seen == NOT_SEEN)[..., None], params["embed_tokens"][ids], flat[jnp.maximum(seen, 0)])


def predict(params: Params, seen_tokens: jax.Array, ids: jax.Array, seen: jax.Array) -> jax.Array:
    """The logits after each token, [batch, time, vocabulary]."""
    positions = jnp.broadcast_to(jnp.arange(ids.shape[1]), ids.shape)
    hidden, _ = forward_embedded(params, embedded(params, seen_tokens, ids, seen), positions, None, TEXT)
    return logits(params, hidden)
