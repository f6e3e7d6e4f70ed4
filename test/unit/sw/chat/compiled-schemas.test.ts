import { afterEach, expect, test, vi } from 'vitest';
import * as compiler from '../../../../src/core/grammar/compile.ts';
import { compiledSchema } from '../../../../sw/chat/compiled-schemas.ts';

vi.mock('../../../../src/core/grammar/compile.ts', async (importOriginal) => {
  const original = await importOriginal<typeof compiler>();
  return { ...original, schemaGrammar: vi.fn(original.schemaGrammar) };
});

const compilations = vi.mocked(compiler.schemaGrammar);

afterEach(() => compilations.mockClear());

test('a schema is compiled once, wherever it stands', () => {
  const grammar = compiledSchema({ const: 'once' }, 'a');
  expect(compiledSchema({ const: 'once' }, 'b')).toBe(grammar);
  expect(grammar).toMatch(/^root ::= /);
  expect(compilations).toHaveBeenCalledOnce();
});

test('one that cannot be enforced is refused each time, with its own path', () => {
  for (const path of ['a', 'b']) {
    expect(() => compiledSchema({ not: {} }, path)).toThrow(`'${path}.not'`);
  }
});

test('what was not used for longest is forgotten, and compiled again', () => {
  const kept = { const: 'kept' };
  compiledSchema(kept, 'kept');
  const large = (letter: string) => ({ description: letter.repeat(200_000), const: letter });
  for (const letter of 'abcdefghijklmnop') {
    compiledSchema(large(letter), 'large');
    compiledSchema(kept, 'kept');
  }
  compilations.mockClear();
  compiledSchema(kept, 'kept');
  expect(compilations).not.toHaveBeenCalled();
  compiledSchema(large('a'), 'large');
  expect(compilations).toHaveBeenCalledOnce();
});
