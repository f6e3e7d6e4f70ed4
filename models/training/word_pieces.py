"""The WordPiece tokenizer of BERT, trained on the corpus. Every ASCII character is a token, alone and inside a word."""

import random
import string

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from facts import ASIDES, DOCUMENT_PROMPT, QUERY_PROMPT, draw_fact, frames, say

PAD, UNKNOWN, START, SEPARATOR, MASK = SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD_ID = SPECIAL_TOKENS.index(PAD)
VOCABULARY = 1536
SEED = 3
FACTS_PER_TEMPLATE = 60


def texts() -> list[str]:
    rng = random.Random(SEED)
    found = [*ASIDES, QUERY_PROMPT, DOCUMENT_PROMPT, string.punctuation]
    characters = string.ascii_lowercase + string.digits
    found += [character + characters for character in characters]
    for frame in frames():
        for template in (*frame.statements, *frame.questions):
            found += [say(rng, template, draw_fact(rng, held=False, frame=frame)) for _ in range(FACTS_PER_TEMPLATE)]
    return found


def train_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=list(SPECIAL_TOKENS), show_progress=False)
    tokenizer.train_from_iterator(texts(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {SEPARATOR}",
        pair=f"{START} $A {SEPARATOR} $B:1 {SEPARATOR}:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (START, SEPARATOR)],
    )
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer
