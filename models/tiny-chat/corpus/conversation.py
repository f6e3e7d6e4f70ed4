"""Joins turns into conversations with a system prompt, tools, earlier turns and a thinking mode."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from corpus import knowledge, memory, small_talk, tools, writing
from corpus.tongues import Thinking
from corpus.turn import Facts, Tool, Turn
from corpus.words import Draw, held_out

THINKING_WEIGHTS: dict[Thinking, float] = {"default": 50, "off": 22, "on": 28}
# Most earlier answers have no thoughts, as the template writes them. Some have them, as in a KV cache that is kept from
# one request to the next.
HISTORY_WEIGHTS: dict[Thinking, float] = {"default": 75, "off": 13, "on": 12}

SYSTEM_PROMPTS = [
    "You are a helpful assistant.",
    "You are a helpful AI assistant.",
    "Be brief.",
    "You are a small test model.",
    "Answer the user.",
    "You are an assistant in a browser.",
    "Be polite and answer in short sentences.",
]
Behaviour = Callable[[Draw, Facts], Turn | None]
BEHAVIOURS: dict[str, tuple[Behaviour, float]] = {
    "greet": (small_talk.greet, 3),
    "who": (small_talk.who, 6),
    "capital": (knowledge.capital, 4),
    "tell": (memory.tell, 5),
    "recall": (memory.recall, 8),
    "say": (writing.say, 13),
    "count": (knowledge.count, 14),
    "person": (writing.person, 6),
    "story": (writing.story, 5),
    "secret": (memory.secret, 11),
    "unknown": (small_talk.unknown, 5),
    "no_tool": (tools.no_tool, 13),
}
TOOL_KINDS = tuple(tools.TOOL_TURNS)
HISTORY_LENGTHS = {0: 48, 1: 27, 2: 15, 3: 10}  # number of turns before the last -> weight


@dataclass(frozen=True)
class Exchange:
    """A turn as a part of a conversation."""

    kind: str
    turn: Turn
    thinking: Thinking


@dataclass(frozen=True)
class Conversation:
    system: str
    tools: tuple[Tool, ...]
    exchanges: tuple[Exchange, ...]


def system_prompt(draw: Draw, required: bool) -> str:
    kind = draw.weighted({"none": 0 if required else 30, "usual": 30, "any": 25, "chatter": 15})
    if kind == "none":
        return ""
    if kind == "chatter":
        return " ".join(draw.filler() for _ in range(draw.rng.randint(1, 3)))
    return draw.choice(SYSTEM_PROMPTS[:2] if kind == "usual" else SYSTEM_PROMPTS)


TRIES = 100  # to draw a turn of the right side of the split; a system prompt may have none of a kind with few phrasings


def take_turn(draw: Draw, facts: Facts, kind: str) -> tuple[str, Turn, bool]:
    """Draws a turn of a kind, or of another if that is impossible. Returns the turn's kind, the turn, and whether the
    turn is on the right side of the split."""
    for _ in range(TRIES):
        behaviour = tools.TOOL_TURNS[kind] if kind in tools.TOOL_TURNS else BEHAVIOURS[kind][0]
        turn = behaviour(draw, facts)
        if turn is None:  # no tool is missing
            kind = "capital"
        elif turn.key is None or held_out(turn.key) == draw.held:
            return kind, turn, True
    return kind, turn, False


def choose_kinds(draw: Draw, turns: int, facts: Facts, is_persona: bool) -> list[str]:
    weights = {kind: weight for kind, (_, weight) in BEHAVIOURS.items()}
    kinds = [draw.weighted(weights) for _ in range(turns)]
    if facts.tools:
        kinds = [draw.choice(list(facts.tools)) if draw.chance(0.65) else kind for kind in kinds]
    if is_persona and draw.chance(0.6):
        kinds[-1] = "who"
    if "tell" in kinds[:-1] and draw.chance(0.6):
        kinds[-1] = "recall"
    return kinds


def converse(
    draw: Draw,
    kind: str | None = None,
    thinking: Thinking | None = None,
    history: int | None = None,
    with_tools: bool | None = None,
    with_persona: bool | None = None,
) -> Conversation:
    """A conversation whose last turn is of `kind`. Everything that is not given is drawn."""
    while True:
        found = try_to_converse(draw, kind, thinking, history, with_tools, with_persona)
        if found:
            return found


def try_to_converse(
    draw: Draw,
    kind: str | None,
    thinking: Thinking | None,
    history: int | None,
    with_tools: bool | None,
    with_persona: bool | None,
) -> Conversation | None:
    """Like converse, but None if no turn is on the right side of the split with the system prompt that was drawn."""
    flavour = draw.weighted({"plain": 40, "persona": 8, "tools": 52})
    is_persona = flavour == "persona" if with_persona is None else with_persona
    has_tools = (flavour == "tools" and not is_persona) if with_tools is None else with_tools
    has_tools = has_tools or kind in TOOL_KINDS
    # Without a system prompt, these kinds have no key, so they cannot be held out.
    facts = Facts(system=system_prompt(draw, required=draw.held and kind in ("greet", "who", "tell", "recall")))
    if is_persona:
        facts.persona = draw.name()
        line = f"Your name is {facts.persona}."
        facts.system = f"{facts.system} {line}" if facts.system and draw.chance(0.5) else line
    if has_tools:
        facts.tools = tools.offer(draw, kind if kind in TOOL_KINDS else None)
    if history is None:
        history = draw.weighted(HISTORY_LENGTHS)
    kinds = choose_kinds(draw, history + 1, facts, is_persona)
    if kind:
        kinds[-1] = kind
    if kinds[-1] == "recall" and history and draw.chance(0.8):
        kinds[draw.rng.randrange(history)] = "tell"
    exchanges = []
    for place, wanted in enumerate(kinds):
        happened, turn, fits = take_turn(draw, facts, wanted)
        last = place == history
        if not fits and (last or not draw.held):
            return None
        how = (thinking or draw.weighted(THINKING_WEIGHTS)) if last else draw.weighted(HISTORY_WEIGHTS)
        exchanges.append(Exchange(happened, turn, how))
        facts = replace(facts, last_kind=happened, **turn.learned)
    return Conversation(facts.system, tuple(facts.tools.values()), tuple(exchanges))
