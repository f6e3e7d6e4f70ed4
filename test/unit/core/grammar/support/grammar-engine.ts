import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { loadXGrammar } from '../../../../support/xgrammar.ts';

/** The vocabulary has one token for each byte, and this one to end the text. */
const END = 256;
/** Bytes that are chosen more often than others, or random texts would hardly ever end. */
const CLOSING = new Set(Array.from('"}]', (char) => char.charCodeAt(0)));

const xgrammar = loadXGrammar();
const compiler = createCompiler();

async function createCompiler(): Promise<XGrammar.GrammarCompiler> {
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
  });
  const vocabulary = [...bytes, '</s>'];
  const info = await xgrammar.TokenizerInfo.createTokenizerInfo(
    vocabulary,
    'byte_fallback',
    false,
    vocabulary.length,
    [END],
  );
  return xgrammar.GrammarCompiler.createGrammarCompiler(info);
}

/** A grammar compiled by XGrammar, which checks texts token by token. */
export class CompiledGrammar {
  readonly #matcher: XGrammar.GrammarMatcher;

  private constructor(matcher: XGrammar.GrammarMatcher) {
    this.#matcher = matcher;
  }

  /** @throws Error if XGrammar cannot read the grammar */
  static async compile(ebnf: string): Promise<CompiledGrammar> {
    return CompiledGrammar.#matching(await (await compiler).compileGrammar(ebnf));
  }

  static async compileTag(tag: XGrammar.StructuralTagLike): Promise<CompiledGrammar> {
    return CompiledGrammar.#matching(await (await compiler).compileStructuralTag(tag));
  }

  static async #matching(grammar: XGrammar.CompiledGrammar): Promise<CompiledGrammar> {
    const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar, [END]);
    grammar.dispose();
    return new CompiledGrammar(matcher);
  }

  dispose(): void {
    this.#matcher.dispose();
  }

  /** Whether XGrammar would let a model write the whole text. */
  accepts(text: string): boolean {
    this.#matcher.reset();
    const bytes = [...new TextEncoder().encode(text)];
    return [...bytes, END].every((token) => this.#matcher.acceptToken(token));
  }

  /**
   * A random text that the grammar allows, chosen byte by byte.
   *
   * @param random - gives numbers from 0 to 1
   * @param limit - bytes
   * @returns undefined if the text did not end within the limit
   */
  async sample(random: () => number, limit: number): Promise<string | undefined> {
    this.#matcher.reset();
    const bytes: number[] = [];
    while (bytes.length < limit) {
      const token = choose(await this.#allowed(), random, bytes.length > limit / 4);
      if (token === undefined) throw new Error(`Dead end after ${decode(bytes)}`);
      if (!this.#matcher.acceptToken(token))
        throw new Error('XGrammar refuses a token that its mask allows.');
      if (token === END) return decode(bytes);
      bytes.push(token);
    }
    return undefined;
  }

  async #allowed(): Promise<number[]> {
    const mask = await this.#matcher.getNextTokenBitmask();
    const tokens = Array.from({ length: END + 1 }, (_, token) => token);
    return tokens.filter((token) => (((mask[token >> 5] ?? 0) >>> (token & 31)) & 1) === 1);
  }
}

function choose(tokens: number[], random: () => number, hurry: boolean): number | undefined {
  const closing = tokens.filter((token) => token === END || CLOSING.has(token));
  const pick = closing.length > 0 && random() < (hurry ? 0.9 : 0.25) ? closing : tokens;
  return pick[Math.floor(random() * pick.length)];
}

function decode(bytes: number[]): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes));
}

/** Random numbers from 0 to 1, the same in every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
