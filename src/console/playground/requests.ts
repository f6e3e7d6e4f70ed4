import type { CatalogModel, Task } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import { isReadyToUse } from '../models/ready-to-use.ts';

/** An endpoint of the API with the body of a first request. */
export interface Endpoint {
  method: 'GET' | 'POST';
  /** Below the base URL. */
  path: string;
  /** The task of the model that it needs. */
  task?: Task;
  body?: (model: CatalogModel | undefined) => object;
  /** The body is sent as a form, with a recording. */
  hasRecording?: true;
}

const DOCUMENTS = ['The cat sleeps on the sofa.', 'Rain is expected tomorrow.', 'A kitten naps.'];

export const ENDPOINTS: readonly Endpoint[] = [
  {
    ...{ method: 'POST', path: '/chat/completions', task: 'chat' },
    body: (model) => ({
      model: model?.id ?? '',
      messages: [{ role: 'user', content: 'Hello!' }],
      stream: true,
    }),
  },
  {
    ...{ method: 'POST', path: '/responses', task: 'chat' },
    body: (model) => ({ model: model?.id ?? '', input: 'Hello!', stream: true }),
  },
  {
    ...{ method: 'POST', path: '/messages', task: 'chat' },
    body: (model) => ({
      model: model?.id ?? '',
      max_tokens: 64,
      messages: [{ role: 'user', content: 'Hello!' }],
      stream: true,
    }),
  },
  {
    ...{ method: 'POST', path: '/completions', task: 'chat' },
    body: (model) => ({ model: model?.id ?? '', prompt: 'Once upon a time', max_tokens: 32 }),
  },
  {
    ...{ method: 'POST', path: '/tokenize', task: 'chat' },
    body: (model) => ({ model: model?.id ?? '', prompt: 'Hello!' }),
  },
  {
    ...{ method: 'POST', path: '/embeddings', task: 'embedding' },
    body: (model) => ({ model: model?.id ?? '', input: DOCUMENTS }),
  },
  {
    ...{ method: 'POST', path: '/rerank', task: 'rerank' },
    body: (model) => ({ model: model?.id ?? '', query: 'animals', documents: DOCUMENTS }),
  },
  {
    ...{ method: 'POST', path: '/audio/speech', task: 'speech' },
    body: (model) => ({
      model: model?.id ?? '',
      voice: model?.speech?.voices[0]?.id ?? '',
      input: 'Hello!',
      response_format: 'wav',
    }),
  },
  {
    ...{ method: 'POST', path: '/audio/transcriptions', task: 'transcription', hasRecording: true },
    body: (model) => ({ model: model?.id ?? '', response_format: 'verbose_json' }),
  },
  {
    ...{ method: 'POST', path: '/audio/translations', task: 'transcription', hasRecording: true },
    body: (model) => ({ model: model?.id ?? '' }),
  },
  { method: 'GET', path: '/models' },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/metrics' },
];

export function endpointOf(path: string): Endpoint {
  const [first] = ENDPOINTS;
  const found = ENDPOINTS.find((endpoint) => endpoint.path === path) ?? first;
  if (!found) throw new Error('There are no endpoints.');
  return found;
}

/** JSON of a first request; empty for endpoints without a body. */
export function firstBody({ body, task }: Endpoint, models: readonly CatalogModel[]): string {
  if (!body) return '';
  const model = models.find((known) => known.task === task && isReadyToUse(known));
  return JSON.stringify(body(model), null, 2);
}

/**
 * A form with the fields of a JSON object, and a recording.
 *
 * @throws SyntaxError if the text is no JSON
 */
export function formOf(text: string, recording: File): FormData {
  const form = new FormData();
  form.append('file', recording);
  const fields: unknown = JSON.parse(text);
  for (const [name, value] of Object.entries(fields ?? {}) as [string, unknown][]) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const field = Array.isArray(value) ? `${name}[]` : name;
    for (const each of values) {
      form.append(field, typeof each === 'string' ? each : JSON.stringify(each));
    }
  }
  return form;
}

/** Why a text is no JSON object; empty if it is one. */
export function bodyProblem(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? '' : messages.value.playground.notObject;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
