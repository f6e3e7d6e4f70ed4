"""What the models are asked, as text for the tokenizer: ChatML with its special tokens written out."""

SYSTEM = {
    "smollm2-135m": "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n",
    "tiny-chat": "",
}
FILLER = {
    "smollm2-135m": "The river runs past the old mill, and the children of the village play on its banks. ",
    "tiny-chat": "The sun is warm today. ",
}
FILLER_COUNT = {"smollm2-135m": 16, "tiny-chat": 40}


def ask(text: str) -> str:
    """A user's message and the beginning of the answer."""
    return f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"


def follow_up(text: str) -> str:
    """A user's message after an answer, with the end-of-turn mark that the KV cache lacks."""
    return f"<|im_end|>\n{ask(text)}"


def conversations(model: str) -> list[dict]:
    """Named lists of turns. The first turn of the long one is longer than a prefill chunk (256 tokens)."""
    long_text = FILLER[model] * FILLER_COUNT[model] + "What is the capital of Italy?"
    return [
        {"name": "short", "turns": [SYSTEM[model] + ask("What is the capital of France?"), follow_up("And of Spain?"),
                                    follow_up("Tell me a story.")]},
        {"name": "long", "turns": [SYSTEM[model] + ask(long_text), follow_up("What is the capital of France?")]},
    ]
