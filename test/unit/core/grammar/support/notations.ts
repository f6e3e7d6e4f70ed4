import type { Notation } from '../../../../../src/core/grammar/values/objects/notation.ts';

const ASSIGNED = { before: '=', after: '' };

/** The keyword arguments of a call: `city="Bern", days=3`. */
export const KEYWORDS: Notation = {
  name: '',
  marks: {
    string: ASSIGNED,
    number: ASSIGNED,
    boolean: ASSIGNED,
    null: ASSIGNED,
    array: ASSIGNED,
    object: ASSIGNED,
  },
  separator: ', ',
  strings: 'quoted',
  nested: 'json',
  words: { true: 'true', false: 'false', null: 'null' },
};
