import { writeArguments, type MembersFormat } from './call-format.ts';
import { commonEnd } from './differences.ts';
import { between } from './probed-calls.ts';

/** What stands around two arguments that are closed by their names: `<aakey>avalue</aakey><bbkey>…`. */
interface Closed {
  /** Before the first name. */
  opening: string;
  /** Between a name and its value. */
  before: string;
  /** Between a value and the name that closes it. */
  after: string;
  /** From there to the next name. */
  next: string;
}

/**
 * How a template writes arguments that are closed by their names; undefined: in a way that cannot be read.
 *
 * @param typed - a call with the arguments `values`, a JSON object with a value of every type
 * @param nulls - a call in which `aakey` is null
 */
export function readElementsFormat(
  { opening, before, after, next }: Closed,
  typed: string,
  values: string,
  nulls: string,
): MembersFormat | undefined {
  if (!next.startsWith(before)) return undefined;
  const rest = next.slice(before.length);
  const name = commonEnd(opening, rest).text.trimStart();
  if (name === '') return undefined;
  const mark = { before, after };
  const marks = {
    string: mark,
    number: mark,
    boolean: mark,
    null: mark,
    array: mark,
    object: mark,
  };
  const separator = rest.slice(0, rest.length - name.length);
  const items = between(typed, `${name}cckey${before}`, `${after}cckey`);
  const item = between(items, name, before);
  const none = between(nulls, `${name}aakey${before}`, after);
  const formats = ([item === '' ? 'json' : { item }] as const).flatMap((nested) =>
    ['true', 'True'].map((word): MembersFormat => ({
      kind: 'members',
      name,
      separator,
      marks,
      strings: 'raw',
      closes: true,
      nested,
      words: { true: word, false: word === 'True' ? 'False' : 'false', null: none },
    })),
  );
  const written = squeezed(typed);
  return formats.find((format) => written.includes(squeezed(writeArguments(format, values))));
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '').replaceAll("'", '"');
}
