import { describe, expect, test } from 'vitest';
import {
  GrammarMasks,
  type GrammarMatcher,
} from '../../../../../src/engine/llamacpp/worker/grammar-masks.ts';
import {
  ConstraintError,
  outputConstraint,
} from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import { loadXGrammar } from '../../../../support/xgrammar.ts';

const encoder = new TextEncoder();
/** Some tokens of several bytes, one that ends inside a character, and the end of a turn. */
const TOKENS = ['{', '}', '{}', '[', ']', '1', 'é', ' ', '{"', '<think>', '</think>', 'a'].map(
  (text) => encoder.encode(text),
);
TOKENS.push(encoder.encode('é').subarray(0, 1), encoder.encode('é').subarray(1));
const STOP = TOKENS.push(encoder.encode('<|im_end|>')) - 1;

const masks = () =>
  new GrammarMasks(loadXGrammar(), {
    vocabularySize: TOKENS.length,
    stopTokenIds: [STOP],
    bytes: (token) => TOKENS[token] ?? new Uint8Array(),
  });

const idOf = (text: string) => TOKENS.findIndex((bytes) => decode(bytes) === text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The tokens that the grammar allows next. */
async function allowed(matcher: GrammarMatcher): Promise<number[]> {
  const logits = new Float32Array(TOKENS.length);
  (await matcher.mask())(logits);
  return [...logits.keys()].filter((token) => logits[token] === 0);
}

async function allowedTexts(matcher: GrammarMatcher): Promise<string[]> {
  return (await allowed(matcher)).map((token) => decode(TOKENS[token] ?? new Uint8Array()));
}

const GRAMMAR = outputConstraint('root ::= "{}" | "[" a "]"\na ::= "é" | "1"\n');

test('only tokens that continue the grammar are allowed, and the end of the turn at its end', async () => {
  const matcher = await masks().matcher(GRAMMAR);
  expect(await allowedTexts(matcher)).toEqual(['{', '{}', '[']);
  matcher.accept(idOf('{'));
  expect(await allowedTexts(matcher)).toEqual(['}']);
  matcher.accept(idOf('}'));
  expect(await allowed(matcher)).toEqual([STOP]);
  matcher.accept(STOP);
});

test('a character may be written in parts', async () => {
  const matcher = await masks().matcher(GRAMMAR);
  matcher.accept(idOf('['));
  const [first, second] = [TOKENS.length - 3, TOKENS.length - 2];
  expect(await allowed(matcher)).toEqual([idOf('1'), idOf('é'), first]);
  matcher.accept(first);
  expect(await allowed(matcher)).toEqual([second]);
});

test('a structural tag lets the model think first', async () => {
  const marks = { open: '<think>', close: '</think>' };
  const constraint = outputConstraint('root ::= "{}"\n', { marks, opened: false });
  const matcher = await masks().matcher(constraint);
  expect(await allowedTexts(matcher)).toEqual(['{', '{}', '<think>']);
  for (const text of ['<think>', 'a', '</think>', '{}']) matcher.accept(idOf(text));
  expect(await allowed(matcher)).toEqual([STOP]);
});

describe('a matcher', () => {
  test('refuses a token that the grammar does not allow', async () => {
    const matcher = await masks().matcher(GRAMMAR);
    expect(() => matcher.accept(idOf('a'))).toThrow(/does not allow/);
  });

  test('begins anew for each answer, also when its grammar was compiled before', async () => {
    const all = masks();
    const first = await all.matcher(GRAMMAR);
    first.accept(idOf('{'));
    const second = await all.matcher(GRAMMAR);
    expect(await allowedTexts(second)).toEqual(['{', '{}', '[']);
    first.dispose();
    expect(await allowedTexts(second)).toEqual(['{', '{}', '[']);
  });
});

test('more grammars than are kept can be used, and the first one again', async () => {
  const all = masks();
  for (let index = 0; index < 40; index++) {
    const matcher = await all.matcher(outputConstraint(`root ::= "${'1'.repeat(index % 20)}{}"\n`));
    expect(await allowedTexts(matcher)).toEqual(index % 20 === 0 ? ['{', '{}'] : ['1']);
    matcher.dispose();
  }
});

test('a grammar that does not compile is a ConstraintError, and the next one compiles', async () => {
  const all = masks();
  await expect(all.matcher(outputConstraint('root ::= nothing\n'))).rejects.toThrow(
    ConstraintError,
  );
  expect(await allowedTexts(await all.matcher(GRAMMAR))).toEqual(['{', '{}', '[']);
});
