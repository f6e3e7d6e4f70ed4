import { TemplateFault } from '../limits/faults.ts';
import type { Call, Token } from './nodes.ts';
import { closings, token, word } from './tokens.ts';

/** The name of a function whose first argument is called with the others. No template can write it. */
const CALLED = 'the called';
const PARTS = new Set(['Identifier', 'Dot', 'OpenParen', 'OpenSquareBracket']);

/**
 * The inside of a `{% call %}` as the library can read it. The library only knows macros that have a name of their own:
 * `call(x) ns.macro(a)` becomes `call(x) called(ns.macro, a)`.
 *
 * @throws TemplateFault if it calls nothing
 */
export function knownCall(inner: readonly Token[]): Token[] {
  const ends = closings(inner);
  const signature = inner[0]?.type === 'OpenParen' ? (ends.get(0) ?? 0) + 1 : 0;
  const open = [...ends].find(([, end]) => end === inner.length - 1)?.[0] ?? -1;
  if (open <= signature || inner[open]?.type !== 'OpenParen' || !isTarget(inner, signature, open))
    throw new TemplateFault('{% call %} needs a call, as in {% call macro() %}');
  if (open === signature + 1) return [...inner];
  const args = inner.slice(open + 1);
  return [
    ...inner.slice(0, signature),
    word(CALLED),
    token('OpenParen', '('),
    ...inner.slice(signature, open),
    ...(args.length > 1 ? [token('Comma', ',')] : []),
    ...args,
  ];
}

/** Whether these are names, members and calls only, no operators. */
function isTarget(inner: readonly Token[], from: number, to: number): boolean {
  const ends = closings(inner);
  for (let at = from; at < to; at++) {
    const type = inner[at]?.type ?? '';
    if (!PARTS.has(type)) return false;
    at = ends.get(at) ?? at;
  }
  return true;
}

/** The call that a `{% call %}` does. */
export function callOf(call: Call): Call {
  const [callee, ...args] = call.args;
  const isRewritten = call.callee.type === 'Identifier' && call.callee.value === CALLED;
  return isRewritten && callee ? { ...call, callee, args } : call;
}
