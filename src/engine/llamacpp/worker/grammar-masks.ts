import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { toByteCharacters } from '../../conversation/answer/byte-characters.ts';
import { RecentGrammars } from '../../conversation/constraint/recent-grammars.ts';
import {
  ConstraintError,
  type OutputConstraint,
} from '../../conversation/constraint/output-constraint.ts';
import { messageOf } from '../../../core/text/message-of.ts';
import { Line } from '../../../core/async/line.ts';

/** Tokens in each number of XGrammar's mask. */
const WORD_BITS = 32;

/** The tokens of a model, as a grammar sees them. */
interface GrammarVocabulary {
  vocabularySize: number;
  stopTokenIds: readonly number[];
  bytes(token: number): Uint8Array;
}

/** Restricts what a model writes to a grammar. */
export class GrammarMasks {
  readonly #xgrammar: typeof XGrammar;
  readonly #vocabulary: GrammarVocabulary;
  /** Made when a grammar is first asked for: it takes memory, and most requests have none. */
  #compiler: Promise<XGrammar.GrammarCompiler> | undefined;
  /** One matcher is made at a time: to compile another grammar may dispose of its grammar before it is made. */
  readonly #line = new Line(1);
  /** Clients send the same schemas with every request. */
  readonly #compiled = new RecentGrammars<XGrammar.CompiledGrammar>();

  constructor(xgrammar: typeof XGrammar, vocabulary: GrammarVocabulary) {
    this.#xgrammar = xgrammar;
    this.#vocabulary = vocabulary;
  }

  /** @throws ConstraintError if the constraint does not compile */
  matcher(constraint: OutputConstraint): Promise<GrammarMatcher> {
    return this.#line.run(async () => {
      try {
        const { GrammarMatcher: Matcher } = this.#xgrammar;
        return new GrammarMatcher(
          await Matcher.createGrammarMatcher(await this.#compile(constraint)),
        );
      } catch (error) {
        throw new ConstraintError(messageOf(error));
      }
    });
  }

  #compile(constraint: OutputConstraint): Promise<XGrammar.CompiledGrammar> {
    return this.#compiled.get(JSON.stringify(constraint), () => this.#compileNew(constraint));
  }

  async #compileNew(constraint: OutputConstraint): Promise<XGrammar.CompiledGrammar> {
    this.#compiler ??= this.#newCompiler();
    const compiler = await this.#compiler;
    switch (constraint.type) {
      case 'grammar': {
        const grammar = await this.#xgrammar.Grammar.fromEBNF(constraint.grammar);
        try {
          return await compiler.compileGrammar(grammar);
        } finally {
          grammar.dispose();
        }
      }
      case 'structural_tag':
        return compiler.compileStructuralTag(constraint.structural_tag);
    }
  }

  async #newCompiler(): Promise<XGrammar.GrammarCompiler> {
    const { vocabularySize, stopTokenIds } = this.#vocabulary;
    const tokens = Array.from({ length: vocabularySize }, (_, token) =>
      toByteCharacters(this.#vocabulary.bytes(token)),
    );
    const { TokenizerInfo, GrammarCompiler } = this.#xgrammar;
    const info = await TokenizerInfo.createTokenizerInfo(
      tokens,
      // Written in GPT-2's characters, the vocabulary of every tokenizer is of this type.
      'byte_level',
      false,
      vocabularySize,
      [...stopTokenIds],
    );
    return GrammarCompiler.createGrammarCompiler(info, false);
  }
}

/** Tracks an answer's place in a grammar. */
export class GrammarMatcher {
  readonly #matcher: XGrammar.GrammarMatcher;

  constructor(matcher: XGrammar.GrammarMatcher) {
    this.#matcher = matcher;
  }

  /** @returns sets the logits of the tokens that the grammar does not allow next to -Infinity, in place */
  async mask(): Promise<(logits: Float32Array) => void> {
    const words = await this.#matcher.getNextTokenBitmask();
    return (logits) => apply(words, logits);
  }

  /** What comes next whatever the model chooses; empty if there is a choice. */
  get forced(): string {
    return this.#matcher.isTerminated() ? '' : this.#matcher.findJumpForwardString();
  }

  /** @throws Error if the grammar does not allow the token */
  accept(token: number): void {
    if (!this.#matcher.acceptToken(token)) {
      throw new Error(`The grammar does not allow the token ${token}.`);
    }
  }

  /** Goes on by a token, like `accept`. @returns false, and stays where it is, if the grammar does not allow it */
  accepts(token: number): boolean {
    return this.#matcher.acceptToken(token);
  }

  /** Goes back by some tokens. */
  rollBack(tokens: number): void {
    if (tokens > 0) this.#matcher.rollBack(tokens);
  }

  dispose(): void {
    this.#matcher.dispose();
  }
}

function apply(words: Int32Array, logits: Float32Array): void {
  for (const [index, word] of words.entries()) {
    if (word === -1) continue;
    const start = index * WORD_BITS;
    const end = Math.min(start + WORD_BITS, logits.length);
    for (let token = start; token < end; token++) {
      if (((word >>> (token - start)) & 1) === 0) logits[token] = -Infinity;
    }
  }
}
