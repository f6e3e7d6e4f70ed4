import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { loadXGrammar } from '../../../support/xgrammar.ts';
import { randomFrom } from './support/grammar-engine.ts';

/** Tokens are up to this long, so that many run past the end of a rule for one character. */
const LONGEST = 4;
const LETTERS = ['a', 'Z', '7', '-', '.', '@', '/', ':', 'é'];
const END = 0;
const SAMPLES = 30;

const xgrammar = loadXGrammar();
const PUNCTUATION = [
  '"',
  '\\',
  '{',
  '}',
  ',',
  ', ',
  ' "',
  ', "',
  ',"',
  '{"',
  '":',
  '"}',
  '",',
  '", "',
];
const vocabulary = ['</s>', ...PUNCTUATION, ...textsOf(LONGEST)];
let compiler: XGrammar.GrammarCompiler;

beforeAll(async () => {
  const { GrammarCompiler, TokenizerInfo } = xgrammar;
  const info = await TokenizerInfo.createTokenizerInfo(vocabulary, 'raw', false, undefined, [END]);
  compiler = await GrammarCompiler.createGrammarCompiler(info, false);
  info.dispose();
});
afterAll(() => {
  compiler.dispose();
});

/** All texts up to this many letters. Texts of three or more letters have at most two different ones. */
function textsOf(length: number): string[] {
  let last = LETTERS;
  const all = [...last];
  for (let count = 2; count <= length; count++) {
    last = last.flatMap((start) => LETTERS.map((letter) => start + letter));
    all.push(...last.filter((text) => count < 3 || new Set(text).size <= 2));
    last = last.filter((text) => count < 3 || new Set(text).size <= 2);
  }
  return all;
}

/** A JSON text that the grammar allows, chosen token by token. Most tokens are usual ones, where they can be. */
async function written(
  matcher: XGrammar.GrammarMatcher,
  random: () => number,
  usual: readonly string[] = [],
): Promise<string> {
  matcher.reset();
  for (let text = ''; ;) {
    const mask = await matcher.getNextTokenBitmask();
    const allowed = vocabulary.flatMap((_, token) =>
      (((mask[token >> 5] ?? 0) >>> (token & 31)) & 1) === 1 ? [token] : [],
    );
    const known = allowed.filter((token) => usual.includes(vocabulary[token] ?? ''));
    const choices = known.length > 0 && random() < 0.9 ? known : allowed;
    const token = choices[Math.floor(random() * choices.length)];
    if (token === undefined) throw new Error(`No token can follow ${text}.`);
    expect(matcher.acceptToken(token), `${text} and then ${vocabulary[token]}`).toBe(true);
    if (token === END) return text;
    text += vocabulary[token] ?? '';
  }
}

test.for([
  ['a name of Kubernetes', { pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' }],
  ['two parts with a limit', { pattern: '^[a-zé]{2,14}(?:[.-][a-z0-9]{1,20})?$' }],
  ['a package', { pattern: '^(?:@[a-z0-9-]+/)?[a-z0-9][a-z0-9._-]*$', maxLength: 214 }],
  [
    'parts that may end everywhere',
    { pattern: '^(?:[A-Za-z0-9]+[.-])*[A-Za-z]{1,12}$', maxLength: 30 },
  ],
  ['any text', { minLength: 20, maxLength: 60 }],
  ['an address', { format: 'email', maxLength: 254 }],
] as const)('%s: what is written token by token is valid', async ([, given]) => {
  const schema = { type: 'string', ...given };
  const {
    pattern,
    minLength = 0,
    maxLength = Infinity,
  } = schema as {
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  const grammar = await compiler.compileGrammar(schemaGrammar(schema));
  const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar);
  grammar.dispose();
  const random = randomFrom(1);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const value: unknown = JSON.parse(await written(matcher, random));
    expect(value).toEqual(expect.stringMatching(new RegExp(pattern ?? '', 'u')));
    const { length } = Array.from(String(value));
    expect(length).toBeLessThanOrEqual(maxLength);
    expect(length).toBeGreaterThanOrEqual(minLength);
  }
  matcher.dispose();
});

test('an open object: what is written token by token is valid', async () => {
  const schema = {
    type: 'object',
    properties: { aZ: { const: '7' }, aZZ: { enum: ['a', 'aé'] }, é: { const: '' } },
    additionalProperties: { type: 'string' },
  };
  const grammar = await compiler.compileGrammar(schemaGrammar(schema, { strict: false }));
  const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar);
  grammar.dispose();
  const random = randomFrom(1);
  const names = new Set<string>();
  const usual = ['a', 'aZ', 'aZZ', '-', 'é', ...PUNCTUATION];
  for (let sample = 0; sample < 10 * SAMPLES; sample++) {
    const value = JSON.parse(await written(matcher, random, usual)) as Record<string, string>;
    for (const [name, member] of Object.entries(value)) {
      names.add(name);
      if (name === 'aZ') expect(member).toBe('7');
      if (name === 'aZZ') expect(['a', 'aé']).toContain(member);
      if (name === 'é') expect(member).toBe('');
    }
  }
  expect([...names]).toEqual(expect.arrayContaining(['aZ', 'aZZ', 'é', 'a', '']));
  matcher.dispose();
});
