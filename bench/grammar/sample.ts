import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { schemaGrammar } from '../../src/core/grammar/compile.ts';
import { median, quantile } from '../statistics.ts';
import { SCHEMAS } from './schemas.ts';
import { timed } from './timed.ts';

/** Tokens that are written for each schema. */
const TOKENS = 80;
const REPEATS = 5;

/** Times over the fixed sample of schemas, in milliseconds. */
export interface SampleTimes {
  convert_p50_ms: number;
  convert_p95_ms: number;
  compile_p50_ms: number;
  compile_p95_ms: number;
  mask_p50_ms: number;
  mask_p95_ms: number;
}

/**
 * Converts and compiles each schema of the sample, and lets each grammar write random tokens.
 *
 * @param compiler - a compiler without a cache
 * @param end - the token that ends a text
 */
export async function sampleTimes(
  xgrammar: typeof XGrammar,
  compiler: XGrammar.GrammarCompiler,
  end: number,
): Promise<SampleTimes> {
  const convert: number[] = [];
  const compile: number[] = [];
  const mask: number[] = [];
  for (const schema of SCHEMAS) {
    for (const strict of [true, false]) {
      convert.push(await medianOf(() => schemaGrammar(schema, { strict })));
      const ebnf = schemaGrammar(schema, { strict });
      compile.push(await medianOf(async () => (await compiler.compileGrammar(ebnf)).dispose()));
      mask.push(...(await maskTimes(xgrammar, await compiler.compileGrammar(ebnf), end)));
    }
  }
  return {
    convert_p50_ms: median(convert),
    convert_p95_ms: quantile(convert, 0.95),
    compile_p50_ms: median(compile),
    compile_p95_ms: quantile(compile, 0.95),
    mask_p50_ms: median(mask),
    mask_p95_ms: quantile(mask, 0.95),
  };
}

async function medianOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < REPEATS; count++) times.push(await timed(work));
  return median(times);
}

/** The times of all masks while random tokens are written. */
async function maskTimes(
  xgrammar: typeof XGrammar,
  grammar: XGrammar.CompiledGrammar,
  end: number,
): Promise<number[]> {
  const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar);
  grammar.dispose();
  const times: number[] = [];
  for (let written = 0; written < TOKENS; written++) {
    let mask: Int32Array = new Int32Array();
    times.push(
      await timed(async () => {
        mask = await matcher.getNextTokenBitmask();
      }),
    );
    const token = chosen(mask, written);
    if (token === end || !matcher.acceptToken(token)) break;
  }
  matcher.dispose();
  return times;
}

/** Picks one of the allowed tokens. The choice depends only on the mask and the seed. */
function chosen(mask: Int32Array, seed: number): number {
  const allowed = [...mask].flatMap((bits, word) =>
    Array.from({ length: 32 }, (_, bit) => bit)
      .filter((bit) => ((bits >>> bit) & 1) === 1)
      .map((bit) => word * 32 + bit),
  );
  return allowed[(seed * 7919) % allowed.length] ?? -1;
}
