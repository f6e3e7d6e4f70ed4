import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { checkRequest } from '../../../../sw/checking/index.ts';
import { fill } from '../../messages/fill.ts';
import { type Messages, messages } from '../../messages/messages.ts';
import type { Endpoint } from '../endpoints.ts';
import { formOf } from '../requests.ts';

const FILE = new File([' '], 'file');

/**
 * What is wrong with the text of a body, and which of its fields have no effect.
 *
 * @param isChecked - whether the API of this device would answer the request; false: only the JSON is checked
 */
export function checkBody(endpoint: Endpoint, text: string, isChecked: boolean): Problem[] {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const found = errors.map((each) => ({ offset: each.offset, what: syntaxError(each) }));
    const [first = { offset: 0, what: String(error) }] = found;
    // Further errors are often due to the first.
    return [problem(text, first.offset, first.what, true)];
  }
  if (root?.type !== 'object') {
    return [problem(text, root?.offset ?? 0, messages.value.playground.notObject, true)];
  }
  if (!isChecked) return [];
  const { method, path, file } = endpoint;
  const body = file ? formOf(text, FILE) : value;
  return checkRequest(method, path, body).map(({ kind, field, path: place, message }) => {
    const isRefused = kind === 'refused';
    const what = isRefused ? message : fill(messages.value.playground.check.ignored, { field });
    return problem(text, offsetOf(root, place), what, isRefused);
  });
}

/** Offset of a field, or of the object or list that should have it. */
function offsetOf(root: Node, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return root.offset;
}

function problem(text: string, offset: number, what: string, isRefused: boolean): Problem {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, what, isRefused };
}

/** The text for each error of the parser, by its name. */
const SYNTAX: Record<string, keyof Syntax> = {
  ValueExpected: 'value',
  PropertyNameExpected: 'name',
  ColonExpected: 'colon',
  CommaExpected: 'comma',
  CloseBraceExpected: 'brace',
  CloseBracketExpected: 'bracket',
  EndOfFileExpected: 'end',
  InvalidCommentToken: 'comment',
  UnexpectedEndOfComment: 'comment',
  UnexpectedEndOfString: 'quote',
  UnexpectedEndOfNumber: 'number',
  InvalidNumberFormat: 'number',
  InvalidUnicode: 'escape',
  InvalidEscapeCharacter: 'escape',
};

type Syntax = Messages['playground']['check']['json'];

function syntaxError({ error }: ParseError): string {
  const { json } = messages.value.playground.check;
  return json[SYNTAX[printParseErrorCode(error)] ?? 'character'];
}

/** An error in the text of a body, or a field without effect. */
export interface Problem {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  what: string;
  /** The API would refuse the request; false: it would ignore a field. */
  isRefused: boolean;
}
