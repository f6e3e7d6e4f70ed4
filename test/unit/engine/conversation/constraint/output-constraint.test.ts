import { expect, test } from 'vitest';
import { outputConstraint } from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import { CompiledGrammar } from '../../../core/grammar/support/grammar-engine.ts';

const GRAMMAR = 'root ::= "{}" | "[" a "]"\na ::= "é" | "1"\n';
const MARKS = { open: '<think>', close: '</think>' };

async function compiled(format: ReturnType<typeof outputConstraint>): Promise<CompiledGrammar> {
  return format.type === 'grammar'
    ? CompiledGrammar.compile(format.grammar)
    : CompiledGrammar.compileTag(format.structural_tag);
}

test('an answer has to match the grammar', async () => {
  const grammar = await compiled(outputConstraint(GRAMMAR));
  expect(['{}', '[é]', 'x', '<think></think>{}'].map((text) => grammar.accepts(text))).toEqual([
    ...[true, true, false, false],
  ]);
});

test('a model that thinks aloud may think first', async () => {
  const grammar = await compiled(outputConstraint(GRAMMAR, { marks: MARKS, opened: false }));
  for (const text of ['{}', '<think>Hm, {</think>{}', '<think>\na\n</think>\n\n[é]']) {
    expect(grammar.accepts(text), text).toBe(true);
  }
  for (const text of ['Hm', '<think>a</think>b', '<think>a']) {
    expect(grammar.accepts(text), text).toBe(false);
  }
});

test('if the prompt opened the thinking, it has to be closed first', async () => {
  const grammar = await compiled(outputConstraint(GRAMMAR, { marks: MARKS, opened: true }));
  expect(grammar.accepts('Hm.\n</think>\n\n[1]')).toBe(true);
  expect(grammar.accepts('{}')).toBe(false);
});
