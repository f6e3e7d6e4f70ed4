import type { ApiRequest } from '../../index.ts';
import { PY_CLIENT, pyArguments, pyLiteral } from '../from-code/literals.ts';
import { shellQuoted, type Snippet } from '../from-code/snippets.ts';
import { indentedJson } from '../json.ts';
import { messages } from '../messages/messages.ts';

/** Endpoint → method of the openai package. */
const METHODS: Record<string, string> = {
  'chat/completions': 'chat.completions.create',
  completions: 'completions.create',
  responses: 'responses.create',
  embeddings: 'embeddings.create',
  'audio/speech': 'audio.speech.create',
};

/** The JSON body of a request: all of it if it was recorded, else without its contents. */
export function bodyText({ body, parameters }: ApiRequest): string {
  return indentedJson(body ?? parameters ?? {});
}

/** Code that sends the request again. */
export function requestSnippets(
  request: ApiRequest,
  { baseURL, apiKey }: { baseURL: string; apiKey: string },
): Snippet[] {
  const { method, endpoint } = request;
  const hasBody = method === 'POST';
  const body = bodyText(request);
  const call = METHODS[endpoint];
  const { fromCode, requests } = messages.value;
  const text = requests.snippets;
  const note = hasBody && !request.body ? text.notRecorded : '';
  const verb = method.toLowerCase();
  const code = call
    ? `client.${call}(${body})`
    : `client.${verb}('/${endpoint}'${hasBody ? `, { body: ${body} }` : ''})`;
  return [
    {
      title: 'curl',
      note: note || text.curl,
      code: `curl -N -X ${method} http://127.0.0.1:<port>/v1/${endpoint} \\
  -H 'Authorization: Bearer <key>'${hasBody ? ` \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuoted(body)}` : ''}`,
    },
    {
      title: fromCode.openai,
      note: note || text.page,
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseURL}',
  apiKey: '${apiKey}',
  dangerouslyAllowBrowser: true,
});

const answer = await ${code};`,
    },
    {
      title: 'fetch',
      note: note || text.page,
      code: `const response = await fetch('${baseURL}/${endpoint}', {
  method: '${method}',
  headers: { Authorization: 'Bearer ${apiKey}' },${hasBody ? `\n  body: JSON.stringify(${body}),` : ''}
});`,
    },
    {
      title: 'Python',
      note: note || text.curl,
      code: `${PY_CLIENT}
answer = ${pyCall(request, call)}`,
    },
  ];
}

/** @param call - the method of the openai package; undefined: it has none for the endpoint */
function pyCall({ method, endpoint, body, parameters }: ApiRequest, call?: string): string {
  const fields = body ?? parameters ?? {};
  if (call !== undefined && typeof fields === 'object') {
    return `client.${call}(${pyArguments(fields)})`;
  }
  const sent = method === 'POST' ? `, body=${pyLiteral(fields)}` : '';
  return `client.${method.toLowerCase()}("/${endpoint}", cast_to=object${sent})`;
}
