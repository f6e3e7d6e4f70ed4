"""Asks the questions of decisions in the words of the product: `src/engine/conversation/decisions/question-text.ts`."""

from collections.abc import Callable

from tokenizers import Tokenizer

from corpus.decisions import Item
from corpus.render import END, opening

TASK = "You judge an input. Answer with nothing but one of the answers that the question allows."
MOST_TOKENS = 8  # of an option that is answered with its own words


def counter(tokenizer: Tokenizer) -> Callable[[str], int]:
    return lambda text: len(tokenizer.encode(text).ids)


def question_text(item: Item, count_tokens: Callable[[str], int], is_reversed: bool) -> tuple[str, str]:
    """The question as the model reads it, and its right answer."""
    step = -1 if is_reversed else 1
    if item.type == "predicate":
        names = ["Yes", "No"]
        words = " or ".join(names[::step])
        return f"Is this true of the input?\n{item.instructions}\n\nAnswer {words}.", names[item.right]
    is_score = item.type == "score"
    are_own = not is_score and all(count_tokens(name) <= MOST_TOKENS for name, _ in item.options)
    lines, names = [], []
    for place, (name, description) in enumerate(item.options):
        names.append(name if are_own else str(place) if is_score else chr(ord("A") + place))
        meaning = " – ".join(part for part in ("" if are_own else name, description) if part)
        lines.append(f"- {names[-1]}{meaning and f': {meaning}'}")
    asks = "Answer with the number of the level" if is_score else "Answer with the one"
    listed = "\n".join(lines[::step])
    return f"{item.instructions}\n\n{asks} that fits the input:\n{listed}", names[item.right]


def prompt_of(item: Item, question: str, task: str = TASK + "\n\n") -> str:
    user = f'{task}Input:\n"""\n{item.input}\n"""\n\n{question}'
    return f"<|im_start|>user\n{user}{END}\n{opening('off')}"
