import type OpenAI from 'openai';

export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string | null };
}

export type Chunk = OpenAI.ChatCompletionChunk;
export type ChatBody = OpenAI.ChatCompletion;
export type CompletionBody = OpenAI.Completion;

export async function json<T>(response: Response): Promise<T> {
  const body: T = await response.json();
  return body;
}

/** The error of an answer, with its status: `400 invalid_request_error null messages`. */
export async function errorOf(response: Response) {
  const { error } = await json<ErrorBody>(response);
  return { status: response.status, ...error };
}

/** The payloads of an event stream, as texts. Throws if the bytes are not an event stream. */
export async function dataOf(response: Response): Promise<string[]> {
  return (await rawEventsOf(response)).map((event) => {
    const [, data] = /^data: ([^\r\n]*)$/.exec(event) ?? [];
    if (data === undefined) throw new Error(`Not one line of data: ${event}`);
    return data;
  });
}

/** An event of the Responses and Messages APIs. */
export type NamedEvent = { type: string } & Record<string, unknown>;

/** The events of a stream whose events have names. Throws unless each name is the type of its data. */
export async function eventsOf<T = NamedEvent>(response: Response): Promise<T[]> {
  return (await rawEventsOf(response)).map((event) => {
    const [, name, data = ''] = /^event: (.*)\ndata: ([^\r\n]*)$/.exec(event) ?? [];
    const value: NamedEvent & T = JSON.parse(data);
    if (value.type !== name) throw new Error(`The name is not the type: ${event}`);
    return value;
  });
}

async function rawEventsOf(response: Response): Promise<string[]> {
  const body = await response.text();
  if (!body.endsWith('\n\n')) throw new Error(`The stream ends in the middle of an event: ${body}`);
  return body.slice(0, -2).split('\n\n');
}

/** The chunks of a whole event stream: it must have ended with [DONE]. */
export async function chunksOf<T = Chunk>(response: Response): Promise<T[]> {
  const data = await dataOf(response);
  if (data.pop() !== '[DONE]') throw new Error('The stream does not end with [DONE].');
  const chunks: T[] = JSON.parse(`[${data.join()}]`);
  return chunks;
}
