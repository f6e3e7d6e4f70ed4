import { indentedJson } from '../json.ts';
import { messages } from '../messages/messages.ts';
import { formFields, jsLiteral, PY_CLIENT, pyArguments, pyLiteral } from './literals.ts';
import { shellQuoted, type Snippet } from './snippets.ts';

/** A request that code sends. */
export interface SentRequest {
  method: string;
  /** Path below the base URL, with its query: `/chat/completions`. */
  path: string;
  /** Fields of its body; undefined: it has none. */
  fields?: object;
  /** The name of the file that is sent with the fields, as a form; undefined: the fields are JSON. */
  file?: string;
}

/** Names for a file that is not known, by what an endpoint takes. */
export const EXAMPLE_FILES = { recording: 'recording.wav', any: 'file.txt' };

/** Request → method of the openai package. */
const METHODS: Record<string, string> = {
  'POST /chat/completions': 'chat.completions.create',
  'POST /completions': 'completions.create',
  'POST /responses': 'responses.create',
  'POST /embeddings': 'embeddings.create',
  'POST /audio/speech': 'audio.speech.create',
  'POST /audio/transcriptions': 'audio.transcriptions.create',
  'POST /audio/translations': 'audio.translations.create',
  'POST /files': 'files.create',
};

/**
 * Code that sends a request to the page's API.
 *
 * @param note - said of each snippet in place of where it runs; empty: nothing
 */
export function requestCode(
  given: SentRequest,
  { baseURL, apiKey }: { baseURL: string; apiKey: string },
  note = '',
): Snippet[] {
  const { fromCode, requests } = messages.value;
  const text = requests.snippets;
  // The only character of a path that ends a string.
  const request = { ...given, path: given.path.replaceAll("'", '%27') };
  return [
    { title: 'curl', note: note || text.curl, code: curl(request) },
    {
      title: fromCode.openai,
      note: note || text.page,
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseURL}',
  apiKey: '${apiKey}',
  dangerouslyAllowBrowser: true,
});

${jsFile(request)}const answer = await ${jsCall(request)};`,
    },
    { title: 'fetch', note: note || text.page, code: fetched(request, baseURL, apiKey) },
    { title: 'Python', note: note || text.curl, code: `${PY_CLIENT}\nanswer = ${pyCall(request)}` },
  ];
}

function curl({ method, path, fields, file }: SentRequest): string {
  const lines = [
    `curl -N -X ${method} ${shellQuoted(`http://127.0.0.1:<port>/v1${path}`)}`,
    "-H 'Authorization: Bearer <key>'",
  ];
  if (file !== undefined) {
    lines.push(`-F ${shellQuoted(`file=@"${quoted(file)}"`)}`);
    // `-F` would read a value that begins with @ from a file.
    const texts = formFields(fields ?? {}).map(([name, value]) => `${name}=${value}`);
    lines.push(...texts.map((each) => `--form-string ${shellQuoted(each)}`));
  } else if (fields) {
    lines.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(indentedJson(fields))}`);
  }
  return lines.join(' \\\n  ');
}

/** In quotes, curl takes the name of a file whole, also one with a comma or a semicolon. */
function quoted(name: string): string {
  return name.replaceAll(/["\\]/g, String.raw`\$&`);
}

function fetched(request: SentRequest, baseURL: string, apiKey: string): string {
  const { method, path, fields, file } = request;
  const lines = [`method: '${method}',`, `headers: { Authorization: 'Bearer ${apiKey}' },`];
  if (file !== undefined) lines.push('body: form,');
  else if (fields) lines.push(`body: JSON.stringify(${jsLiteral(fields, '  ')}),`);
  return `${jsFile(request)}${file === undefined ? '' : jsForm(fields ?? {})}const response = await fetch('${baseURL}${path}', {
  ${lines.join('\n  ')}
});`;
}

function jsFile({ file }: SentRequest): string {
  return file === undefined
    ? ''
    : `const [file] = document.querySelector('input[type=file]').files; // ${file.replaceAll(/\s+/g, ' ')}\n`;
}

function jsForm(fields: object): string {
  const lines = formFields(fields).map(
    ([name, value]) => `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  return `const form = new FormData();\nform.append("file", file);\n${lines.join('')}\n`;
}

function jsCall({ method, path, fields, file }: SentRequest): string {
  const call = METHODS[`${method} ${path}`];
  const verb = method.toLowerCase();
  if (call === undefined) {
    return `client.${verb}('${path}'${fields ? `, { body: ${jsLiteral(fields)} }` : ''})`;
  }
  const literal = jsLiteral(named(fields ?? {}));
  if (file === undefined) return `client.${call}(${literal})`;
  return `client.${call}({\n  file,${literal.slice(1)})`;
}

function pyCall({ method, path, fields, file }: SentRequest): string {
  const call = METHODS[`${method} ${path}`];
  if (call === undefined) {
    const sent = fields ? `, body=${pyLiteral(fields)}` : '';
    return `client.${method.toLowerCase()}("${path}", cast_to=object${sent})`;
  }
  const open = file === undefined ? '' : `\n    file=open(${JSON.stringify(file)}, "rb"),`;
  return `client.${call}(${open}${pyArguments(named(fields ?? {}))})`;
}

/** The fields as the openai package names them: `words` of a form's `words[]` are a list. */
function named(fields: object): object {
  const entries = Object.entries(fields).map(
    ([name, value]: [string, unknown]): [string, unknown] =>
      name.endsWith('[]') ? [name.slice(0, -2), [value].flat()] : [name, value],
  );
  return Object.fromEntries(entries);
}
