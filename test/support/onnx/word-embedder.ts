import { seededRandom } from '../../../scripts/seeded-random.ts';
import { FLOAT, INT64, onnxFile, type Bytes, type Node, type Port, type Weights } from './onnx.ts';

/**
 * A small embedder whose graph anyone can compute by hand. The state of a token is the sum of the words up to it, and
 * twice the sum of the words from it on; padding counts as nothing.
 */

const WORDS = ['find', ':', 'red', 'green', 'apples', 'and', 'pears', 'grow', 'on', 'trees'];
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
/** XLM-RoBERTa's special tokens, which have another order. */
const SPECIAL_IN_PIECES = ['<s>', '<pad>', '</s>', '<unk>'];
const VOCABULARY = [...SPECIAL, ...WORDS];
/** Numbers in a state. */
export const WIDTH = 8;
/** Numbers in a vector of a whole text. */
export const WHOLE = 6;
const PER_TOKEN = ['batch_size', 'sequence_length'];
const MOST_TOKENS = 64;

const random = seededRandom(7);
const numbers = (count: number) => Float32Array.from({ length: count }, () => random() - 0.5);
const words = numbers(VOCABULARY.length * WIDTH);
const places = numbers(MOST_TOKENS * WIDTH);
const dense = numbers(WIDTH * WHOLE);

/**
 * `encoder`: like ModernBERT; `typed`: like BERT, with types of tokens as an input; `pieces`: with XLM-RoBERTa's kind
 * of tokenizer; `decoder`: like Qwen3, with positions and a cache as inputs, and a special token at the end only.
 */
export type Kind = 'encoder' | 'typed' | 'pieces' | 'decoder';

/** The tokens of a text, whose words stand between spaces. */
export function wordIds(kind: Kind, text: string): number[] {
  const special = kind === 'pieces' ? SPECIAL_IN_PIECES : SPECIAL;
  const [start, end, unknown] = marksOf(kind).map((mark) => special.indexOf(mark));
  const ids = text.split(' ').map((word) => {
    const place = WORDS.indexOf(word);
    return place < 0 ? (unknown ?? 0) : SPECIAL.length + place;
  });
  return [...(kind === 'decoder' ? [] : [start ?? 0]), ...ids, end ?? 0];
}

/** The special tokens for the beginning, for the end, and for an unknown word. */
function marksOf(kind: Kind): string[] {
  return kind === 'pieces' ? ['<s>', '</s>', '<unk>'] : ['[CLS]', '[SEP]', '[UNK]'];
}

/** The states of a text's tokens, one row for each. */
export function wordStates(kind: Kind, ids: readonly number[]): number[][] {
  return ids.map((_, at) => {
    const [before, after] = [sumOf(ids.slice(0, at + 1)), sumOf(ids.slice(at))];
    const place = kind === 'decoder' ? [...rowOf(places, at)] : [];
    return before.map((value, index) => value + 2 * (after[index] ?? 0) + (place[index] ?? 0));
  });
}

/** The vector of a whole text, as the graph computes it. */
export function wholeVector(ids: readonly number[]): number[] {
  const sum = sumOf(ids);
  return Array.from({ length: WHOLE }, (_, column) =>
    sum.reduce((total, value, row) => total + value * (dense[row * WHOLE + column] ?? 0), 0),
  );
}

function sumOf(ids: readonly number[]): number[] {
  const rows = ids.map((id) => rowOf(words, id));
  return Array.from({ length: WIDTH }, (_, index) =>
    rows.reduce((sum, row) => sum + (row[index] ?? 0), 0),
  );
}

function rowOf(matrix: Float32Array, row: number): Float32Array {
  return matrix.subarray(row * WIDTH, (row + 1) * WIDTH);
}

/**
 * The files that every model of transformers.js has, and the graph.
 *
 * @param whole - length of the vectors of whole texts that the graph also gives; `unknown`: the graph does not state it
 * @param unused - number of weights that the graph does not use
 */
export function wordEmbedder(
  kind: Kind,
  whole?: number | 'unknown',
  unused = 0,
): Map<string, Buffer> {
  const files = {
    'config.json': kind === 'decoder' ? DECODER : ENCODER,
    'tokenizer.json': kind === 'pieces' ? PIECES : tokenizer(kind),
    'tokenizer_config.json':
      kind === 'pieces'
        ? { tokenizer_class: 'XLMRobertaTokenizer', pad_token: '<pad>' }
        : { tokenizer_class: 'BertTokenizer', pad_token: '[PAD]' },
  };
  const all = Object.entries(files).map(([path, content]) => [path, json(content)] as const);
  return new Map([...all, ['onnx/model.onnx', Buffer.from(graph(kind, whole, unused))]]);
}

/** A JSON file of a repository. */
export function json(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}

const SIZES = {
  hidden_size: WIDTH,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  max_position_embeddings: MOST_TOKENS,
  vocab_size: VOCABULARY.length,
};
const ENCODER = { architectures: ['BertModel'], model_type: 'bert', ...SIZES };
const DECODER = {
  architectures: ['Qwen3ForCausalLM'],
  model_type: 'qwen3',
  ...SIZES,
  num_key_value_heads: 2,
  head_dim: 4,
};

function tokenizer(kind: Kind): object {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    normalizer: null,
    decoder: null,
    added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true })),
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: around(kind, SPECIAL),
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
    },
  };
}

/** Like XLM-RoBERTa's tokenizer, but without the table that normalises characters. */
const SPACE = { type: 'Metaspace', replacement: '▁', add_prefix_space: true };
const PIECES = {
  version: '1.0',
  truncation: null,
  padding: null,
  normalizer: null,
  decoder: SPACE,
  added_tokens: SPECIAL_IN_PIECES.map((content, id) => ({ id, content, special: true })),
  pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, SPACE] },
  post_processor: around('pieces', SPECIAL_IN_PIECES),
  model: {
    type: 'Unigram',
    unk_id: SPECIAL_IN_PIECES.indexOf('<unk>'),
    vocab: [
      ...SPECIAL_IN_PIECES.map((token) => [token, 0]),
      ...WORDS.map((word, place) => [`▁${word}`, -3 - place / 10]),
    ],
  },
};

/** Puts special tokens at the beginning and the end of a text. */
function around(kind: Kind, all: string[]): object {
  const special = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } });
  const [start = '', end = ''] = marksOf(kind);
  const named = [start, end].map((token) => [
    token,
    { id: token, ids: [all.indexOf(token)], tokens: [token] },
  ]);
  const text = { Sequence: { id: 'A', type_id: 0 } };
  return {
    type: 'TemplateProcessing',
    single: [...(kind === 'decoder' ? [] : [special(start)]), text, special(end)],
    pair: [],
    special_tokens: Object.fromEntries(named),
  };
}

const node = (output: string, op: string, inputs: string[], attributes = {}): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes,
});
const matrix = (name: string, rows: number, values: Float32Array): Weights => ({
  name,
  shape: [rows, values.length / rows],
  values,
});
const list = (name: string, ...values: number[]): Weights => ({
  name,
  shape: [values.length],
  values,
  type: INT64,
});

function graph(kind: Kind, whole: number | 'unknown' | undefined, unused: number): Bytes {
  const { inputs, outputs } = portsOf(kind);
  return onnxFile({
    inputs,
    outputs: [...(whole === undefined ? [] : [wholePort(whole)]), ...outputs],
    nodes: [
      node('counted', 'Cast', ['attention_mask'], { to: FLOAT }),
      node('column', 'Unsqueeze', ['counted', 'two']),
      node('found', 'Gather', ['words', 'input_ids']),
      ...(kind === 'typed' ? TYPED : []),
      node('masked', 'Mul', [kind === 'typed' ? 'typed' : 'found', 'column']),
      node('before', 'CumSum', ['masked', 'one']),
      node('after', 'CumSum', ['masked', 'one'], { reverse: 1 }),
      node('twice', 'Add', ['after', 'after']),
      node('summed', 'Add', ['before', 'twice']),
      node('total', 'ReduceSum', ['masked', 'one'], { keepdims: 0 }),
      node('sentence_embedding', 'MatMul', ['total', 'dense']),
      ...(kind === 'decoder' ? DECODING : [node('last_hidden_state', 'Identity', ['summed'])]),
    ],
    weights: [
      ...(unused > 0 ? [matrix('unused', 1, new Float32Array(unused))] : []),
      ...[list('one', 1), list('two', 2), matrix('words', VOCABULARY.length, words)],
      ...[matrix('places', MOST_TOKENS, places), matrix('dense', WIDTH, dense)],
    ],
  });
}

/** Adds the type of each token, which is 0 in a text alone. */
const TYPED = [
  node('type', 'Cast', ['token_type_ids'], { to: FLOAT }),
  node('types', 'Unsqueeze', ['type', 'two']),
  node('typed', 'Add', ['found', 'types']),
];
const CACHE = ['0.key', '0.value'];
const DECODING = [
  node('place', 'Gather', ['places', 'position_ids']),
  node('last_hidden_state', 'Add', ['summed', 'place']),
  ...CACHE.map((part) => node(`present.${part}`, 'Identity', [`past_key_values.${part}`])),
];

function portsOf(kind: Kind): { inputs: Port[]; outputs: Port[] } {
  const cached = (name: string) =>
    CACHE.map((part): Port => {
      return { name: `${name}.${part}`, type: FLOAT, shape: ['batch_size', 2, 'past', 4] };
    });
  const further = { decoder: ['position_ids'], typed: ['token_type_ids'], encoder: [], pieces: [] };
  const names = ['input_ids', 'attention_mask', ...further[kind]];
  const inputs = names.map((name): Port => ({ name, type: INT64, shape: PER_TOKEN }));
  const states: Port = { name: 'last_hidden_state', type: FLOAT, shape: [...PER_TOKEN, WIDTH] };
  return kind === 'decoder'
    ? {
        inputs: [...inputs, ...cached('past_key_values')],
        outputs: [states, ...cached('present')],
      }
    : { inputs, outputs: [states] };
}

function wholePort(length: number | 'unknown'): Port {
  return { name: 'sentence_embedding', type: FLOAT, shape: ['batch_size', length] };
}
