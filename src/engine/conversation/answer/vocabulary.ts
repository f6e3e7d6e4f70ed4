import * as v from 'valibot';
import { jobFault } from '../../../core/errors/errors.ts';
import { type ReadFile, readJson } from '../../download/transfer/read-file.ts';
import { fromByteCharacters } from './byte-characters.ts';

/** The part of `tokenizer.json` that says how tokens become bytes. */
const vocabularySchema = v.object({
  added_tokens: v.optional(v.array(v.object({ id: v.number(), content: v.string() })), []),
  model: v.object({
    /** BPE and WordPiece: id by token. Unigram: tokens in the order of their ids. */
    vocab: v.union([
      v.record(v.string(), v.number()),
      v.array(v.tupleWithRest([v.string()], v.unknown())),
    ]),
  }),
  decoder: v.unknown(),
});

type VocabularyFile = v.InferOutput<typeof vocabularySchema>;

/** The bytes that each token of a model stands for. */
export interface TokenBytes {
  /** Whether decoding drops the space that an answer's first token begins with. */
  readonly stripsFirstSpace: boolean;
  /** UTF-8 bytes, perhaps only part of a character; empty for an id without a token. */
  bytes(id: number): Uint8Array;
}

/** The token bytes by a model's `tokenizer.json`. */
export class Vocabulary implements TokenBytes {
  readonly stripsFirstSpace: boolean;
  readonly #texts = new Map<number, string>();
  readonly #added = new Set<number>();
  readonly #toBytes: (text: string) => Uint8Array;

  /** @param file - content of `tokenizer.json` */
  constructor(file: unknown) {
    const parsed = v.parse(vocabularySchema, file);
    for (const [text, id] of entries(parsed)) this.#texts.set(id, text);
    for (const { id, content } of parsed.added_tokens) {
      this.#texts.set(id, content);
      this.#added.add(id);
    }
    const decoders = decoderTypes(parsed.decoder);
    this.#toBytes = decoders.has('ByteLevel') ? fromByteCharacters : sentencePiece;
    this.stripsFirstSpace = decoders.has('Strip') || decoders.has('Metaspace');
  }

  /** @throws ApiError 400 for a model without `tokenizer.json`: its tokens are unknown */
  static async read(read: ReadFile): Promise<Vocabulary> {
    if (await read('tokenizer.json')) return new Vocabulary(await readJson(read, 'tokenizer.json'));
    const text = 'needs a model with a tokenizer.json.';
    throw jobFault('logprobs', text, { code: 'unsupported_value' });
  }

  bytes(id: number): Uint8Array {
    const text = this.#texts.get(id) ?? '';
    return this.#added.has(id) ? encoder.encode(text) : this.#toBytes(text);
  }
}

const encoder = new TextEncoder();

function entries({ model: { vocab } }: VocabularyFile): (readonly [string, number])[] {
  return Array.isArray(vocab)
    ? vocab.map(([text], id) => [text, id] as const)
    : Object.entries(vocab);
}

/** Names of a decoder and of the decoders in its sequence. */
function decoderTypes(decoder: unknown): Set<string> {
  const types = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node) types.add(String(node.type));
    if ('decoders' in node && Array.isArray(node.decoders)) node.decoders.forEach(visit);
  };
  visit(decoder);
  return types;
}

/** U+2581 stands for a space, `<0x0A>` for a byte without a token. */
function sentencePiece(text: string): Uint8Array {
  const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(text) ?? [];
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
  return encoder.encode(text.replaceAll('\u2581', ' '));
}
