import type { ApiRequest } from '../../index.ts';
import type { Snippet } from '../from-code/snippets.ts';

/** What the openai package calls the endpoints that it has. */
const METHODS: Record<string, string> = {
  'chat/completions': 'chat.completions.create',
  completions: 'completions.create',
  responses: 'responses.create',
  embeddings: 'embeddings.create',
  'audio/speech': 'audio.speech.create',
};

/** The JSON body of a request: all of it if it was recorded, else without its contents. */
export function bodyText({ body, parameters }: ApiRequest): string {
  return JSON.stringify(body ?? parameters ?? {}, null, 2);
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
  const note = hasBody && !request.body ? 'Its contents were not recorded: add them.' : '';
  const verb = method.toLowerCase();
  const code = call
    ? `client.${call}(${body})`
    : `client.${verb}('/${endpoint}'${hasBody ? `, { body: ${body} }` : ''})`;
  return [
    {
      title: 'curl',
      note: note || 'Through the bridge, which prints its port and its key.',
      code: `curl -N -X ${method} http://127.0.0.1:<port>/v1/${endpoint} \\
  -H 'Authorization: Bearer <key>'${hasBody ? ` \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuoted(body)}` : ''}`,
    },
    {
      title: 'openai package',
      note: note || 'In any page of this site, while this tab is open.',
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
      note: note || 'In any page of this site, while this tab is open.',
      code: `const response = await fetch('${baseURL}/${endpoint}', {
  method: '${method}',
  headers: { Authorization: 'Bearer ${apiKey}' },${hasBody ? `\n  body: JSON.stringify(${body}),` : ''}
});`,
    },
  ];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
