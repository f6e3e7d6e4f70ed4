import { describe, expect, test, vi } from 'vitest';
import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { schemaGrammar } from '../../../../../src/core/grammar/compile.ts';
import { boundGrammars } from '../../../../../src/engine/webllm/pipeline/grammar-cache.ts';
import { loadXGrammar } from '../../../../support/xgrammar.ts';

const xgrammar = loadXGrammar();

/** A compiler as WebLLM gives it to its pipeline, and the grammars that it was asked for. */
async function boundCompiler() {
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
  });
  const vocabulary = [...bytes, '</s>'];
  const { TokenizerInfo, GrammarCompiler } = xgrammar;
  const info = await TokenizerInfo.createTokenizerInfo(
    vocabulary,
    'byte_fallback',
    false,
    257,
    [256],
  );
  const compiler = await GrammarCompiler.createGrammarCompiler(info);
  const compile = vi.spyOn(compiler, 'compileGrammar');
  const pipeline: { grammarCompiler?: XGrammar.GrammarCompiler } = {};
  boundGrammars(pipeline);
  pipeline.grammarCompiler = compiler;
  const compiled = () =>
    compile.mock.settledResults.map(({ value }) => value as XGrammar.CompiledGrammar);
  return { compiler: pipeline.grammarCompiler, compiled };
}

async function accepts(grammar: XGrammar.CompiledGrammar, text: string): Promise<boolean> {
  const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar);
  const accepted = [...new TextEncoder().encode(text)].every((byte) => matcher.acceptToken(byte));
  const ended = accepted && matcher.acceptToken(256);
  matcher.dispose();
  return ended;
}

/** More than 100,000 characters of EBNF, most of them a comment, so that compiling them takes no time. */
const largeGrammar = (text: string) => `root ::= "${text}"\n# ${'.'.repeat(100_000)}\n`;

const isFreed = (grammar: XGrammar.CompiledGrammar) =>
  (grammar.handle as { isDeleted(): boolean }).isDeleted();

describe('the grammars of a pipeline', () => {
  test('are compiled once, and every caller may free what it got', async () => {
    const { compiler, compiled } = await boundCompiler();
    const ebnf = schemaGrammar({ enum: ['a', 'b'] });
    const first = await compiler.compileGrammar(ebnf);
    const second = await compiler.compileGrammar(ebnf);
    expect(compiled()).toHaveLength(1);
    first.dispose();
    expect(await accepts(second, '"b"')).toBe(true);
    expect(await accepts(second, '"c"')).toBe(false);
    const third = await compiler.compileGrammar(ebnf);
    expect(await accepts(third, '"a"')).toBe(true);
    expect(compiled()).toHaveLength(1);
  });

  test('are freed when others take their place, and still work where they are in use', async () => {
    const { compiler, compiled } = await boundCompiler();
    const used = await compiler.compileGrammar(schemaGrammar({ const: 'used' }));
    for (const text of ['a', 'b', 'c', 'd', 'e']) {
      (await compiler.compileGrammar(largeGrammar(text))).dispose();
    }
    expect(compiled().map(isFreed)).toEqual([true, true, false, false, false, false]);
    expect(await accepts(used, '"used"')).toBe(true);
  });

  test('are all freed with the compiler', async () => {
    const { compiler, compiled } = await boundCompiler();
    (await compiler.compileGrammar(schemaGrammar({ const: 1 }))).dispose();
    compiler.dispose();
    expect(compiled().map(isFreed)).toEqual([true]);
  });

  test('are not remembered if they cannot be read', async () => {
    const { compiler } = await boundCompiler();
    await expect(compiler.compileGrammar('no grammar')).rejects.toThrow();
    expect(await accepts(await compiler.compileGrammar('root ::= "a"'), 'a')).toBe(true);
  });
});
