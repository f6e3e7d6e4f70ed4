/** The longest name that a function may have. */
const LONGEST = 64;

/**
 * A name that a function may have, made of any text.
 *
 * @param taken - the names of other functions; this one is added to them
 */
export function uniqueName(text: string, taken: Set<string>): string {
  const name = text.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST) || '_';
  let unique = name;
  for (let number = 2; taken.has(unique); number++) {
    const end = `_${number}`;
    unique = name.slice(0, LONGEST - end.length) + end;
  }
  taken.add(unique);
  return unique;
}
