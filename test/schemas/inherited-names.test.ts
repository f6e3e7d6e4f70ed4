import { describe, expect, test } from 'vitest';
import { membersGrammar } from '../../src/core/grammar/compile.ts';
import { object } from '../unit/core/grammar/cases/cases.ts';
import { expectEnforced } from './support/enforce.ts';
import { KEYWORDS } from '../unit/core/grammar/support/notations.ts';
import { CompiledGrammar } from '../unit/core/grammar/support/grammar-engine.ts';
import { ENFORCED, REFUSED } from './cases/inherited-name-cases.ts';
import { refusalOf } from '../unit/core/grammar/support/refusal.ts';

/** `constructor`, `__proto__`, `toString`, …: names that every object inherits. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);
/** A name that no object inherits. Ajv judges the schema with this name instead. */
const ORDINARY = 'ordinary';

test('the names are those that objects inherit', () => {
  expect(NAMES).toEqual(expect.arrayContaining(['constructor', '__proto__', 'hasOwnProperty']));
});

describe.each(Object.entries(ENFORCED))('%s', (_place, caseFor) => {
  const { schema } = caseFor(ORDINARY);

  test.each(NAMES)('%s', async (name) => {
    const translate = (text: string) => text.replaceAll(name, ORDINARY);
    await expectEnforced(caseFor(name), { schema, translate }, 3);
  });
});

describe.each(Object.entries(REFUSED))('%s', (_place, refusalFor) => {
  test.each(NAMES)('%s is refused with the path', (name) => {
    const { schema, path } = refusalFor(name);
    expect(refusalOf(schema)).toEqual({ path });
  });
});

test.each(NAMES)('an argument of a call may be called %s', async (name) => {
  const grammar = await CompiledGrammar.compile(
    membersGrammar(object({ [name]: { type: 'integer' } }), KEYWORDS),
  );
  expect(grammar.accepts(`${name}=1`)).toBe(true);
  expect(grammar.accepts('')).toBe(false);
  expect(grammar.accepts('ordinary=1')).toBe(false);
  grammar.dispose();
});
