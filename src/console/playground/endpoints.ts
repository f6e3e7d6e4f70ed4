import type { Endpoint } from './endpoint.ts';
import { STORE_ENDPOINTS } from './store-endpoints.ts';

export type { Endpoint };

const DOCUMENTS = ['The cat sleeps on the sofa.', 'Rain is expected tomorrow.', 'A kitten naps.'];

type Body = NonNullable<Endpoint['body']>;

const messages = [{ role: 'user', content: 'Hello!' }];
const chat: Body = (model) => ({ model: model?.id ?? '', messages });
const response: Body = (model) => ({ model: model?.id ?? '', input: 'Hello!' });
const speech: Body = (model) => ({
  model: model?.id ?? '',
  voice: model?.speech?.voices[0]?.id ?? '',
  input: 'Hello!',
  response_format: 'wav',
});
const progress: Body = () => ({ stream: true });

/** Every endpoint of the API, in the order in which they are offered. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/chat/completions',
    task: 'chat',
    body: (model) => ({ ...chat(model), stream: true }),
  },
  { method: 'POST', path: '/chat/completions/input_tokens', task: 'chat', body: chat },
  {
    method: 'POST',
    path: '/responses',
    task: 'chat',
    body: (model) => ({ ...response(model), stream: true }),
  },
  { method: 'POST', path: '/responses/input_tokens', task: 'chat', body: response },
  { method: 'GET', path: '/responses/{response}' },
  {
    method: 'GET',
    path: '/responses/{response}/input_items',
    query: ['limit', 'order', 'after'],
  },
  { method: 'DELETE', path: '/responses/{response}', removes: 'response' },
  { method: 'POST', path: '/conversations', body: () => ({ items: messages }) },
  { method: 'GET', path: '/conversations/{conversation}' },
  {
    method: 'POST',
    path: '/conversations/{conversation}',
    body: () => ({ metadata: { topic: 'greeting' } }),
  },
  { method: 'DELETE', path: '/conversations/{conversation}', removes: 'conversation' },
  {
    method: 'POST',
    path: '/conversations/{conversation}/items',
    body: () => ({ items: messages }),
  },
  {
    method: 'GET',
    path: '/conversations/{conversation}/items',
    query: ['limit', 'order', 'after'],
  },
  { method: 'GET', path: '/conversations/{conversation}/items/{item}' },
  {
    method: 'DELETE',
    path: '/conversations/{conversation}/items/{item}',
    removes: 'conversation',
  },
  {
    method: 'POST',
    path: '/messages',
    task: 'chat',
    body: (model) => ({ model: model?.id ?? '', max_tokens: 64, messages, stream: true }),
  },
  { method: 'POST', path: '/messages/count_tokens', task: 'chat', body: chat },
  {
    method: 'POST',
    path: '/completions',
    task: 'chat',
    body: (model) => ({ model: model?.id ?? '', prompt: 'Once upon a time', max_tokens: 32 }),
  },
  {
    method: 'POST',
    path: '/decisions',
    task: 'chat',
    body: (model) => ({
      model: model?.id ?? '',
      input: 'I was charged twice.',
      questions: [
        {
          type: 'choice',
          instructions: 'Which team is this for?',
          choices: [{ value: 'billing' }, { value: 'support' }],
        },
        { type: 'predicate', instructions: 'It is about money.' },
      ],
    }),
  },
  {
    method: 'POST',
    path: '/systemone',
    task: 'chat',
    body: (model) => ({
      model: model?.id ?? '',
      state: 'I was charged twice.',
      questions: { money: { type: 'noul', instructions: 'Is it about money?' } },
    }),
  },
  {
    method: 'POST',
    path: '/tokenize',
    task: 'chat',
    body: (model) => ({ model: model?.id ?? '', prompt: 'Hello!' }),
  },
  {
    method: 'POST',
    path: '/detokenize',
    task: 'chat',
    body: (model) => ({ model: model?.id ?? '', tokens: [1, 2, 3] }),
  },
  {
    method: 'POST',
    path: '/embeddings',
    task: 'embedding',
    body: (model) => ({ model: model?.id ?? '', input: DOCUMENTS }),
  },
  {
    method: 'POST',
    path: '/files',
    file: 'any',
    body: () => ({ purpose: 'assistants' }),
  },
  { method: 'GET', path: '/files', query: ['purpose', 'limit', 'order', 'after'] },
  { method: 'GET', path: '/files/{file}' },
  { method: 'GET', path: '/files/{file}/content' },
  { method: 'DELETE', path: '/files/{file}', removes: 'file' },
  ...STORE_ENDPOINTS,
  {
    method: 'POST',
    path: '/rerank',
    task: 'rerank',
    body: (model) => ({ model: model?.id ?? '', query: 'animals', documents: DOCUMENTS }),
  },
  { method: 'POST', path: '/audio/speech', task: 'speech', body: speech },
  { method: 'GET', path: '/audio/speech', task: 'speech', body: speech, isSigned: true },
  { method: 'GET', path: '/audio/voices', query: ['model'] },
  {
    method: 'POST',
    path: '/audio/transcriptions',
    task: 'transcription',
    file: 'recording',
    body: (model) => ({ model: model?.id ?? '', response_format: 'verbose_json' }),
  },
  {
    method: 'POST',
    path: '/audio/translations',
    task: 'transcription',
    file: 'recording',
    body: (model) => ({ model: model?.id ?? '' }),
  },
  { method: 'GET', path: '/models' },
  { method: 'GET', path: '/models/{model}' },
  { method: 'POST', path: '/models/{model}/install', body: progress },
  { method: 'POST', path: '/models/{model}/load', body: progress },
  { method: 'POST', path: '/models/{model}/unload', body: progress, removes: 'memory' },
  { method: 'DELETE', path: '/models/{model}', removes: 'files' },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/metrics' },
];

/** An endpoint's name, as in the page's address and in `drafts`: `POST /models/{model}/load`. */
export function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

/** The endpoint with this name or path. For an unknown name, the first endpoint. */
export function endpointOf(name: string): Endpoint {
  const [first] = ENDPOINTS;
  const found =
    ENDPOINTS.find((endpoint) => nameOf(endpoint) === name) ??
    ENDPOINTS.find(({ path }) => path === `/${name}`) ??
    first;
  if (!found) throw new Error('There are no endpoints.');
  return found;
}

/** The endpoint of a request, and the values of the names in its path. */
export function requestedEndpoint(
  method: string,
  path: string,
): { endpoint: Endpoint; values: Record<string, string> } | undefined {
  const found = ENDPOINTS.flatMap((endpoint) => {
    const pattern = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = endpoint.method === method && new RegExp(`^${pattern}$`).exec(path);
    return match ? [{ endpoint, groups: match.groups ?? {} }] : [];
  });
  // A fixed path comes before one with a name: `/responses/input_tokens`.
  const [best] = found.toSorted(
    (a, b) => Object.keys(a.groups).length - Object.keys(b.groups).length,
  );
  if (!best) return undefined;
  const values: Record<string, string> = {};
  for (const [name, text] of Object.entries(best.groups)) values[name] = decoded(text);
  return { endpoint: best.endpoint, values };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names in the path: the request needs a value for each. */
export function pathNames({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The path and the query of a request. Values that are empty are left out of the query. */
export function pathOf(endpoint: Endpoint, values: Readonly<Record<string, string>>): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const given = (endpoint.query ?? []).flatMap((name) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return given.length > 0 ? `${path}?${new URLSearchParams(given).toString()}` : path;
}
