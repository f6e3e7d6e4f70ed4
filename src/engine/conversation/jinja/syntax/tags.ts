import { TemplateFault } from '../limits/faults.ts';
import { knownCall } from './call-tag.ts';
import type { Token } from './nodes.ts';
import { CLOSE, CLOSINGS, endOfTag, OPEN, OPENINGS, token, word } from './tokens.ts';

const COMMA = token('Comma', ',');
/** A filter that changes nothing. What is set in its block is not seen outside. */
const SCOPE = [word('string')];
/** The name of a filter whose block sees only what the template sets outside loops and macros. */
export const AS_BLOCK = 'as block';
/** The name of a filter with an argument, which must be false. */
export const AUTOESCAPE = 'autoescape';
/** The first comment in the body of a loop that is recursive. No template can write it. */
export const RECURSIVE = 'recursive #}';

/** Words that `recursive` cannot follow. Behind them, it is a name. */
const BEFORE_NAMES = new Set(['in', 'if', 'and', 'or', 'not', 'else', 'is']);
const BEFORE_VALUES = new Set([
  ...OPENINGS,
  ...['Comma', 'Dot', 'Colon', 'Pipe', 'Equals', 'UnaryOperator', 'ComparisonBinaryOperator'],
  ...['AdditiveBinaryOperator', 'MultiplicativeBinaryOperator', 'ExponentiationBinaryOperator'],
]);

/** A tag that becomes filters around what it has inside. */
interface Opened {
  filters: Token[][];
  /** Statements that the inside begins with. */
  first?: Token[];
}

const OPENED: Record<string, (inner: Token[]) => Opened> = {
  filter: (inner) => ({ filters: parts(inner, 'Pipe') }),
  with: (inner) => ({ filters: [SCOPE], first: assignment(inner) }),
  block: (inner) => {
    requireSome(inner, '{% block %} needs a name');
    const isScoped = inner.slice(1).some(({ value }) => value === 'scoped');
    return { filters: [isScoped ? SCOPE : [word(AS_BLOCK)]] };
  },
  autoescape: (inner) => {
    requireSome(inner, '{% autoescape %} needs a value');
    const argument = [token('OpenParen', '('), ...inner, token('CloseParen', ')')];
    return { filters: [[word(AUTOESCAPE), ...argument]] };
  },
};

function requireSome(inner: readonly Token[], fault: string): void {
  if (inner.length === 0) throw new TemplateFault(fault);
}

/** Tags that the library knows, and that have something inside. */
const BLOCKS = new Set(['if', 'for', 'macro', 'call']);

/** A tag that is open. `filters`: how many it became; undefined: the library knows it. */
interface Open {
  tag: string;
  filters: number | undefined;
}

/**
 * Tags that the library does not know, written with those that it knows.
 *
 * `{% with a = x, b = y %}` becomes `{% filter string %}{% set a, b = x, y %}`: no value sees the new names.
 * `{% filter a | b %}` becomes two tags.
 *
 * @throws TemplateFault that names a tag which is not closed, or cannot be read
 */
export function knownTags(tokens: readonly Token[]): Token[] {
  const written: Token[] = [];
  const open: Open[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at];
    const name = first?.type === 'OpenStatement' ? tokens[at + 1] : undefined;
    if (name?.type !== 'Identifier') {
      if (first) written.push(first);
      continue;
    }
    const end = endOfTag(tokens, at);
    written.push(...knownTag(name.value, tokens.slice(at + 2, end), open));
    at = end;
  }
  const unclosed = open.at(-1);
  if (unclosed) throw new TemplateFault(`{% ${unclosed.tag} %} is not closed`);
  return written;
}

function knownTag(tag: string, inner: Token[], open: Open[]): Token[] {
  const opened = Object.hasOwn(OPENED, tag) ? OPENED[tag]?.(inner) : undefined;
  if (opened) {
    open.push({ tag, filters: opened.filters.length });
    const filters = opened.filters.toReversed().flatMap((filter) => statement('filter', filter));
    return [...filters, ...(opened.first ?? [])];
  }
  if (BLOCKS.has(tag) || (tag === 'set' && parts(inner, 'Equals').length === 1))
    open.push({ tag, filters: undefined });
  const begun = tag.slice('end'.length);
  if (
    tag.startsWith('end') &&
    (BLOCKS.has(begun) || begun === 'set' || Object.hasOwn(OPENED, begun))
  ) {
    const filters = closed(open.pop(), tag);
    if (filters !== undefined)
      return Array.from({ length: filters }, () => statement('endfilter')).flat();
  }
  if (tag === 'call') return statement(tag, knownCall(inner));
  if (tag === 'for' && isRecursive(inner))
    return [...statement(tag, inner.slice(0, -1)), token('Comment', RECURSIVE)];
  return statement(tag, inner);
}

/** How many filters a tag closes. */
function closed(opened: Open | undefined, tag: string): number | undefined {
  if (tag === `end${opened?.tag}`) return opened?.filters;
  throw new TemplateFault(
    opened ? `{% ${tag} %} stands inside {% ${opened.tag} %}` : `{% ${tag} %} closes nothing`,
  );
}

function isRecursive(inner: readonly Token[]): boolean {
  const [before, last] = inner.slice(-2);
  if (last?.type !== 'Identifier' || last.value !== 'recursive' || !before) return false;
  return before.type === 'Identifier'
    ? !BEFORE_NAMES.has(before.value)
    : !BEFORE_VALUES.has(before.type);
}

function statement(name: string, tokens: readonly Token[] = []): Token[] {
  return [OPEN, word(name), ...tokens, CLOSE];
}

/** `{% set a, b = x, y %}` for `a = x, b = y`. */
function assignment(tokens: readonly Token[]): Token[] {
  const [targets, values]: [Token[], Token[]] = [[], []];
  let target: Token[] = [];
  // A value ends with the next comma, but a target with `=`: `a, b = x, c = y`.
  for (const part of parts(tokens, 'Comma')) {
    const [before = [], ...behind] = parts(part, 'Equals');
    target.push(...(target.length > 0 ? [COMMA] : []), ...before);
    if (behind.length === 0) continue;
    targets.push(...(targets.length > 0 ? [COMMA] : []), ...asOne(target));
    values.push(...(values.length > 0 ? [COMMA] : []), ...behind.flat());
    target = [];
  }
  if (targets.length + target.length === 0) return [];
  return statement('set', [...targets, ...target, token('Equals', '='), ...values]);
}

/** A target of several names in parentheses. */
function asOne(target: Token[]): Token[] {
  if (!target.some(({ type }) => type === 'Comma') || target[0]?.type === 'OpenParen')
    return target;
  return [token('OpenParen', '('), ...target, token('CloseParen', ')')];
}

/** What stands between separators outside brackets. */
function parts(tokens: readonly Token[], separator: Token['type']): Token[][] {
  if (tokens.length === 0) return [];
  const found: Token[][] = [[]];
  let depth = 0;
  for (const each of tokens) {
    if (OPENINGS.has(each.type)) depth++;
    if (CLOSINGS.has(each.type)) depth--;
    if (depth === 0 && each.type === separator) found.push([]);
    else found.at(-1)?.push(each);
  }
  return found;
}
