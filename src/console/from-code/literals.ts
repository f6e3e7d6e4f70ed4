/** A value of JSON as JavaScript, with indented lines. */
export function jsLiteral(value: object, indent = ''): string {
  const lines = JSON.stringify(value, undefined, 2).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
  return lines.replaceAll('\n', `\n${indent}`);
}

/** Values that are nested deeper stay JSON, on one line; spaces of indentation. */
const MOST_INDENT = 200;

/** A value of JSON as Python, with indented lines. */
export function pyLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object' || indent.length > MOST_INDENT) return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((entry) => pyLiteral(entry, inner))
    : Object.entries(value).map(([name, entry]) => `"${name}": ${pyLiteral(entry, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}

/** The fields of an object as arguments of a call in Python, with a line each. */
export function pyArguments(fields: object): string {
  const lines = Object.entries(fields).map(
    ([name, value]) => `    ${name}=${pyLiteral(value, '    ')},\n`,
  );
  return `\n${lines.join('')}`;
}

/** The beginning of code in Python: a client that reaches the bridge. */
export const PY_CLIENT = `from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:<port>/v1", api_key="<key>")
`;
