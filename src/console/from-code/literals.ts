import { indentedJson } from '../json.ts';

/** A value of JSON as JavaScript, with indented lines. */
export function jsLiteral(value: object, indent = ''): string {
  const lines = indentedJson(value).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
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

/** Fields beyond OpenAI's API, which its package for Python takes in `extra_body` only. */
const BEYOND_OPENAI: ReadonlySet<string> = new Set([
  ...['top_k', 'min_p', 'repetition_penalty', 'min_tokens', 'ignore_eos', 'stop_token_ids'],
  ...['include_stop_str_in_output', 'skip_special_tokens', 'timings_per_token'],
  ...['return_progress', 'chat_template_kwargs', 'lang_code', 'input_type'],
]);

/** The fields of an object as arguments of a call of the openai package in Python, with a line each. */
export function pyArguments(fields: object): string {
  const entries: [string, unknown][] = Object.entries(fields);
  const beyond = entries.filter(([name]) => BEYOND_OPENAI.has(name));
  const known = entries.filter(([name]) => !BEYOND_OPENAI.has(name));
  if (beyond.length > 0) known.push(['extra_body', Object.fromEntries(beyond)]);
  const lines = known.map(([name, value]) => `    ${name}=${pyLiteral(value, '    ')},\n`);
  return `\n${lines.join('')}`;
}

/** The fields of a JSON object as a form has them, by name: texts, and a list's as `name[]`. */
export function formFields(fields: object): [name: string, value: string][] {
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const field = Array.isArray(value) ? `${name}[]` : name;
    return values.map((each): [string, string] => [
      field,
      typeof each === 'string' ? each : JSON.stringify(each),
    ]);
  });
}

/** The beginning of code in Python: a client that reaches the bridge. */
export const PY_CLIENT = `from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:<port>/v1", api_key="<key>")
`;
