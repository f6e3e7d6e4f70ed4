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

const ON_LINES = { before: '>\n', after: '\n</p>\n' };

/** Tagged values: `<p=city>`, the value on a line of its own, `</p>`. */
export const TAGS: Notation = {
  name: '<p=',
  marks: {
    string: ON_LINES,
    number: ON_LINES,
    boolean: ON_LINES,
    null: ON_LINES,
    array: ON_LINES,
    object: ON_LINES,
  },
  separator: '',
  strings: 'raw',
  nested: 'json',
  words: { true: 'True', false: 'False', null: 'None' },
};

const BARE = { before: ':', after: '' };

/** Bare names, and strings with marks around them: `city:<|"|>Bern<|"|>`. */
export const MARKED: Notation = {
  name: '',
  marks: {
    string: { before: ':<|"|>', after: '<|"|>' },
    number: BARE,
    boolean: BARE,
    null: BARE,
    array: BARE,
    object: BARE,
  },
  separator: ',',
  strings: 'raw',
  nested: 'bare',
  words: { true: 'true', false: 'false', null: 'null' },
};

const CLOSED = { before: '>', after: '</' };

/** Elements, `<city>Bern</city>`, whose arrays and objects are elements again. */
export const ELEMENTS: Notation = {
  name: '<',
  marks: {
    string: CLOSED,
    number: CLOSED,
    boolean: CLOSED,
    null: CLOSED,
    array: CLOSED,
    object: CLOSED,
  },
  separator: '',
  strings: 'raw',
  closes: true,
  nested: { item: 'item' },
  words: { true: 'true', false: 'false', null: '' },
};
