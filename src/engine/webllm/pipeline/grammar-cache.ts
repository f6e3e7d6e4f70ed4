import { RecentGrammars } from '../../conversation/constraint/recent-grammars.ts';
import { can, has } from './pipeline.ts';

/** An object of XGrammar's library. Its memory is outside of JavaScript, so it has to be freed. */
interface Handled {
  handle: object;
  dispose(): void;
}

interface CompiledGrammar extends Handled {
  handle: { clone(): object };
  /** The grammar that was compiled, as a new object. */
  grammar(): Handled;
}

/** XGrammar's compiler, as WebLLM uses it. */
interface Compiler extends Handled {
  handle: { ClearCache(): void };
  compileGrammar(grammar: unknown): Promise<CompiledGrammar>;
  compileStructuralTag(tag: unknown): Promise<CompiledGrammar>;
}

/**
 * Bounds the memory that a pipeline's grammars take. XGrammar's own cache keeps every grammar that was ever
 * compiled, and the library never frees the parsed ones: without this, memory grows with each new schema.
 */
export function boundGrammars(pipeline: object): void {
  let compiler: unknown = Reflect.get(pipeline, 'grammarCompiler');
  // WebLLM makes the compiler for the first answer that has a grammar.
  Object.defineProperty(pipeline, 'grammarCompiler', {
    configurable: true,
    enumerable: true,
    get: () => compiler,
    set: (made: unknown) => {
      compiler = isCompiler(made) ? new BoundedCompiler(made) : made;
    },
  });
}

function isCompiler(value: unknown): value is Compiler {
  return (
    can(value, 'compileGrammar', 'compileStructuralTag', 'dispose') &&
    has(value, 'handle') &&
    can(Reflect.get(value, 'handle'), 'ClearCache')
  );
}

/** Wraps a compiler, and keeps the most recently used grammars. */
export class BoundedCompiler {
  readonly #compiler: Compiler;
  readonly #recent = new RecentGrammars<CompiledGrammar>();
  #parse: Parser | undefined;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  /** The caller owns the result. */
  compileGrammar(ebnf: string): Promise<CompiledGrammar> {
    return this.#remembered(ebnf, () => this.#compiled(ebnf));
  }

  /** The caller owns the result. */
  compileStructuralTag(tag: unknown): Promise<CompiledGrammar> {
    return this.#remembered(JSON.stringify(tag), () => this.#compiler.compileStructuralTag(tag));
  }

  dispose(): void {
    this.#recent.clear();
    this.#compiler.dispose();
  }

  async #remembered(
    key: string,
    compile: () => Promise<CompiledGrammar>,
  ): Promise<CompiledGrammar> {
    const grammar = await this.#recent.get(key, compile);
    this.#compiler.handle.ClearCache();
    return copyOf(grammar);
  }

  /** The library leaks the parsed form of a text, but not of a grammar that was parsed before. */
  async #compiled(ebnf: string): Promise<CompiledGrammar> {
    if (!this.#parse) {
      const first = await this.#compiler.compileGrammar(ebnf);
      this.#parse = parserOf(first);
      return first;
    }
    const parsed = await this.#parse(ebnf);
    try {
      return await this.#compiler.compileGrammar(parsed);
    } finally {
      parsed.dispose();
    }
  }
}

/** Makes a new object for the same compiled grammar. Each object is freed separately. */
function copyOf(grammar: CompiledGrammar): CompiledGrammar {
  const copy: unknown = Reflect.construct(grammar.constructor, [grammar.handle.clone()]);
  if (!isCompiled(copy)) throw new TypeError("XGrammar's compiled grammars are built differently.");
  return copy;
}

function isCompiled(value: unknown): value is CompiledGrammar {
  return can(value, 'dispose', 'grammar') && has(value, 'handle');
}

type Parser = (ebnf: string) => Promise<Handled>;

/** The function that parses EBNF. It can only be reached through an object that it made. */
function parserOf(compiled: CompiledGrammar): Parser | undefined {
  const grammar = compiled.grammar();
  const parse: unknown = Reflect.get(grammar.constructor, 'fromEBNF');
  grammar.dispose();
  return isParser(parse) ? parse : undefined;
}

function isParser(value: unknown): value is Parser {
  return typeof value === 'function';
}
