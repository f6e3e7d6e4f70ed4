"""The tokenizer, with Whisper's special tokens in Whisper's order: text, end of text, start, languages, tasks,
timestamps.

Each word with the space before it is one token. Other text is bytes.
"""

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from phrases import SPANISH, english_words

END, START = "<|endoftext|>", "<|startoftranscript|>"
LANGUAGES = ("en", "es")
TASKS = ("translate", "transcribe")
PREVIOUS, NO_SPEECH, NO_TIMESTAMPS = "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"
SPECIAL = (
    *(END, START),
    *(f"<|{name}|>" for name in (*LANGUAGES, *TASKS)),
    *("<|startoflm|>", PREVIOUS, NO_SPEECH, NO_TIMESTAMPS),
)
PRECISION = 0.02  # seconds between two timestamps
POSITIONS = 1500  # of the encoder, one for each timestamp but the last
TIMESTAMPS = tuple(f"<|{index * PRECISION:.2f}|>" for index in range(POSITIONS + 1))


def build() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=1000, min_frequency=2, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([f" {word}" for word in [*english_words(), *SPANISH]] * 2, trainer)
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in SPECIAL])
    tokenizer.add_tokens([AddedToken(token, normalized=False) for token in TIMESTAMPS])
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} {NO_TIMESTAMPS} $A {END}",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (START, NO_TIMESTAMPS, END)],
    )
    return tokenizer


class Ids:
    """The ids of words, special tokens and timestamps."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.words: dict[str, int] = {}
        for word in [*english_words(), *SPANISH]:
            (self.words[word],) = tokenizer.encode(f" {word}", add_special_tokens=False).ids
        self.special = {token: tokenizer.token_to_id(token) for token in SPECIAL}
        self.timestamps = tokenizer.token_to_id(TIMESTAMPS[0])
        self.count = tokenizer.get_vocab_size()

    def named(self, name: str) -> int:
        return self.special[f"<|{name}|>"]
