import type { ValueType } from '../../../../core/grammar/values/objects/notation.ts';
import type { MembersFormat } from './call-format.ts';
import { commonBeginning, commonEnd, fromOpening, toWholeMark } from './differences.ts';
import { between, RESULT, type ProbedCalls } from './probed-calls.ts';
import { readElementsFormat } from './read-elements-format.ts';

/** In the order of the alphabet, because some templates sort them. */
const VALUES: [key: string, type: ValueType, json: string, texts: string[]][] = [
  ['aakey', 'number', '735', ['735']],
  ['bbkey', 'boolean', 'true', ['true', 'True']],
  ['cckey', 'array', '[735, "wz"]', ['[735, "wz"]', '[735,"wz"]', "[735, 'wz']"]],
  ['ddkey', 'object', '{"wkey": "wz"}', ['{"wkey": "wz"}', '{"wkey":"wz"}', "{'wkey': 'wz'}"]],
];
const STRINGS = '{"aakey": "avalue", "bbkey": "bvalue"}';
const TYPED = `{${VALUES.map(([key, , json]) => `"${key}": ${json}`).join(', ')}, "eekey": "evalue"}`;
const NULL = '{"aakey": null, "bbkey": "bvalue"}';

type Marks = MembersFormat['marks'][ValueType];

/** How a template writes arguments one by one; undefined: it does not, or in a way that cannot be read. */
export function readMembersFormat(
  probes: ProbedCalls,
  [callName = '', nextName = '']: readonly string[],
): MembersFormat | undefined {
  const text = callIn(probes, [STRINGS, STRINGS], callName);
  if (text === undefined) return undefined;
  const opening = between(callName + text, callName, 'aakey');
  const assign = between(text, 'aakey', 'avalue');
  const next = between(text, 'avalue', 'bbkey');
  if (assign === '' || next === '') return undefined;
  const [end = '', afterName] = next.split('aakey');
  if (afterName !== undefined) {
    const closed = { opening, before: assign, after: end, next: afterName };
    const [all, nulls] = [TYPED, NULL].map((json) => callIn(probes, [json], callName) ?? '');
    return readElementsFormat(closed, all ?? '', TYPED, nulls ?? '');
  }
  const name = fromOpening(next, commonEnd(opening, next).text.length);
  const afterValue = next.slice(0, next.length - name.length);
  const last = text.slice(text.indexOf('bvalue') + 'bvalue'.length);
  const [ending = ''] = last.split(nextName);
  const common = commonBeginning(afterValue, ending).text;
  const after = common.length === afterValue.length ? common : toWholeMark(common);
  const separator = afterValue.slice(after.length);
  return typed(probes, callName, { name, separator, string: { before: assign, after } });
}

function typed(
  probes: ProbedCalls,
  callName: string,
  { name, separator, string }: { name: string; separator: string; string: Marks },
): MembersFormat | undefined {
  const text = callIn(probes, [TYPED], callName);
  if (text === undefined) return undefined;
  const marksOf = (from: string, to: string, values: readonly string[], whole: string) => {
    const written = between(whole, from, to);
    const value = values.find((each) => written.includes(each));
    if (value === undefined) return undefined;
    const at = written.lastIndexOf(value);
    const rest = written.slice(at + value.length);
    const after = rest.slice(0, rest.length - name.length - separator.length);
    return { before: written.slice(0, at), after, value };
  };
  const keys = [...VALUES.map(([key]) => key), 'eekey'];
  const found = (type: ValueType, extra: string[] = []) => {
    const index = VALUES.findIndex(([, each]) => each === type);
    const [, , , texts = []] = VALUES[index] ?? [];
    return marksOf(keys[index] ?? '', keys[index + 1] ?? '', [...texts, ...extra], text);
  };
  const number = found('number');
  const boolean = found('boolean');
  if (!number || !boolean) return undefined;
  const quote = string.after.slice(0, string.after.length - number.after.length);
  const isMarked =
    quote !== '' &&
    string.before === number.before + quote &&
    string.after === quote + number.after;
  const isQuoted = isMarked && /^["']$/.test(quote);
  const array = found('array', [`[735,${quote}wz${quote}]`]);
  const object = found('object', [`{wkey:${quote}wz${quote}}`]);
  if (!array || !object) return undefined;
  const nulls = callIn(probes, [NULL], callName) ?? '';
  const none = marksOf('aakey', 'bbkey', ['null', 'None'], nulls) ?? { ...boolean, value: 'null' };
  const marks = ({ before, after }: Marks): Marks => ({ before, after });
  return {
    kind: 'members',
    name,
    separator,
    marks: {
      string: isQuoted ? marks(number) : string,
      number: marks(number),
      boolean: marks(boolean),
      null: marks(none),
      array: marks(array),
      object: marks(object),
    },
    strings: isQuoted ? 'quoted' : 'raw',
    nested: object.value.startsWith('{wkey:') ? 'bare' : 'json',
    words: {
      true: boolean.value,
      false: boolean.value === 'True' ? 'False' : 'false',
      null: none.value,
    },
  };
}

/** From the end of the first call's name. */
function callIn(probes: ProbedCalls, json: readonly string[], name: string): string | undefined {
  const text = probes.called(json);
  const at = text?.indexOf(name) ?? -1;
  if (text === undefined || at < 0) return undefined;
  const end = text.indexOf(RESULT, at);
  return text.slice(at + name.length, end < 0 ? undefined : end);
}
