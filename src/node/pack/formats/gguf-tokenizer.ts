import * as v from 'valibot';

import { field, numbers, optionalField, texts } from '../../../core/files/gguf/gguf-header.ts';
import type { GgufFile } from './gguf-file.ts';
import { PackError } from '../pack-error.ts';

/** llama.cpp's token types that are not ordinary vocabulary. */
const CONTROL = 3;
const USER_DEFINED = 4;

const byteLevel = {
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: true,
};

/** Pre-tokenizers by llama.cpp's names for them. */
const PRE_TOKENIZERS = new Map<string, object>([
  [
    'smollm',
    {
      type: 'Sequence',
      pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel],
    },
  ],
]);

/**
 * `tokenizer.json` from the BPE tables of a GGUF.
 *
 * @throws PackError for tokenizers other than byte-level BPE with a known pre-tokenizer
 */
export function ggufTokenizer(file: GgufFile): string {
  const tokens = field(file, 'tokenizer.ggml.tokens', texts).all();
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens(file, tokens),
    normalizer: null,
    pre_tokenizer: preTokenizer(file),
    post_processor: null,
    decoder: { ...byteLevel, add_prefix_space: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: field(file, 'tokenizer.ggml.merges', texts).all(),
    },
  });
}

/** `tokenizer_config.json` from the metadata of a GGUF. */
export function ggufTokenizerConfig(file: GgufFile, contextLength: number): string {
  const tokens = field(file, 'tokenizer.ggml.tokens', texts).all();
  const token = (key: string) => {
    const id = optionalField(file, `tokenizer.ggml.${key}_token_id`, v.number());
    return id === undefined ? null : tokens[id];
  };
  return JSON.stringify({
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: contextLength,
    clean_up_tokenization_spaces: false,
    bos_token: token('bos'),
    eos_token: token('eos'),
    pad_token: token('padding'),
    unk_token: token('unknown'),
    chat_template: field(file, 'tokenizer.chat_template', v.string()),
  });
}

function preTokenizer(file: GgufFile): object {
  const model = field(file, 'tokenizer.ggml.model', v.string());
  const name = optionalField(file, 'tokenizer.ggml.pre', v.string()) ?? 'default';
  const found = model === 'gpt2' ? PRE_TOKENIZERS.get(name) : undefined;
  if (found) return found;
  throw new PackError(
    `${file.name} has the tokenizer ${model}/${name}; of GGUF files only gpt2/smollm can be read. ` +
      'Use the folder of the model from the hub instead.',
  );
}

function addedTokens(file: GgufFile, tokens: string[]): object[] {
  const types = field(file, 'tokenizer.ggml.token_type', numbers);
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return tokens.flatMap((content, id) => {
    const special = types[id] === CONTROL;
    return special || types[id] === USER_DEFINED ? [{ id, content, ...flags, special }] : [];
  });
}
