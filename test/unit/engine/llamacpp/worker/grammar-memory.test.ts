import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { schemaGrammar } from '../../../../../src/core/grammar/compile.ts';
import { GrammarMasks } from '../../../../../src/engine/llamacpp/worker/grammar-masks.ts';
import { loadXGrammar } from '../../../../support/xgrammar.ts';

/** Twice as many schemas as fill the cache of grammars. */
const SCHEMAS = 100;
const VOCABULARY = 1000;

let memory: WebAssembly.Memory | undefined;

beforeAll(() => {
  const instantiate = WebAssembly.instantiate.bind(WebAssembly) as (
    bytes: BufferSource,
    imports?: WebAssembly.Imports,
  ) => Promise<WebAssembly.WebAssemblyInstantiatedSource>;
  const observed = async (bytes: BufferSource, imports?: WebAssembly.Imports) => {
    const made = await instantiate(bytes, imports);
    const exported = Object.values(made.instance.exports);
    memory = exported.find((each) => each instanceof WebAssembly.Memory);
    return made;
  };
  vi.spyOn(WebAssembly, 'instantiate').mockImplementation(observed as never);
});
afterAll(() => {
  vi.restoreAllMocks();
});

test('new schemas do not take more and more memory', async () => {
  const encoder = new TextEncoder();
  const texts = Array.from({ length: VOCABULARY }, (_, id) => encoder.encode(id.toString(36)));
  const masks = new GrammarMasks(loadXGrammar(), {
    vocabularySize: VOCABULARY,
    stopTokenIds: [0],
    bytes: (token) => texts[token] ?? new Uint8Array(),
  });
  const answer = async (number: number) => {
    const properties = {
      [`name${number}`]: { type: 'string', maxLength: 60 + number },
      number: { type: 'integer', maximum: 1e6 + number },
    };
    const grammar = schemaGrammar({ type: 'object', properties }, { strict: false });
    const matcher = await masks.matcher({ type: 'grammar', grammar });
    (await matcher.mask())(new Float32Array(VOCABULARY));
    matcher.dispose();
  };
  for (let number = 0; number < SCHEMAS; number++) await answer(number);
  const before = memory?.buffer.byteLength;
  expect(before).toBeGreaterThan(0);
  for (let number = 0; number < SCHEMAS; number++) await answer(SCHEMAS + number);
  expect(memory?.buffer.byteLength).toBe(before);
});
