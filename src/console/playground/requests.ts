import type { Session } from '../app/session.ts';
import { siteOptions, upstreamNames } from '../app/site-options.ts';
import { hasMembers, member, parsed } from '../json.ts';
import type { CatalogModel, Slashv1, SpeechRequest } from '../../index.ts';
import { formFields } from '../from-code/literals.ts';
import { EXAMPLE_FILES, type SentRequest } from '../from-code/request-code.ts';
import { messages } from '../messages/messages.ts';
import { isReadyToUse } from '../models/stages.ts';
import { pathNames, pathOf, type Endpoint } from './endpoints.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** JSON of a first request; empty for endpoints without a body. */
export function firstBody({ body, task }: Endpoint, models: readonly CatalogModel[]): string {
  if (!body) return '';
  const model = models.find((known) => known.task === task && isReadyToUse(known));
  return JSON.stringify(body(model), null, 2);
}

/** First values for the path: a model that is ready to use, but none if the request would delete or unload it. */
export function firstValues(
  endpoint: Endpoint,
  models: readonly CatalogModel[],
): Record<string, string> {
  const model = models.find(isReadyToUse);
  const isNamed = model && !endpoint.removes && pathNames(endpoint).includes('model');
  return isNamed ? { model: model.id } : {};
}

/**
 * A form with the fields of a JSON object, and a file.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function formOf(text: string, file: File): FormData {
  const form = new FormData();
  form.append('file', file);
  const fields: unknown = JSON.parse(text);
  if (!hasMembers(fields)) return form;
  for (const [name, value] of formFields(fields)) form.append(name, value);
  return form;
}

/** Why a text is not a JSON object; empty if it is one. */
export function bodyProblem(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = hasMembers(value) && !Array.isArray(value);
    return isObject ? '' : messages.value.playground.notObject;
  } catch (error) {
    return messageOf(error);
  }
}

/** The URL, the headers and the body of a request. */
export interface OutgoingRequest {
  method: Endpoint['method'];
  url: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

/**
 * The request of an endpoint.
 *
 * @param values - of its path and query, by name
 * @param body - JSON text; without effect for endpoints without a body
 * @throws Error if a signed URL cannot be made
 */
export async function outgoing(
  v1: Slashv1,
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  body: string,
  file: File | null,
): Promise<OutgoingRequest> {
  const { method } = endpoint;
  if (endpoint.isSigned) {
    const fields = parsed(body);
    if (!isSpeech(fields)) throw new Error(messages.value.playground.notObject);
    return { method, url: await v1.speechUrl(fields), headers: {} };
  }
  const url = v1.baseURL + pathOf(endpoint, values);
  const headers = { authorization: `Bearer ${v1.apiKey}` };
  if (!endpoint.body) return { method, url, headers };
  // The browser names a form's own type.
  if (endpoint.file && file) return { method, url, headers, body: formOf(body, file) };
  return { method, url, headers: { ...headers, 'content-type': 'application/json' }, body };
}

/** What code sends for the request. A file that is still missing is named as an example. */
export function codeOf(
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  body: string,
  file: File | null,
): SentRequest {
  const fields = endpoint.body ? parsed(body) : undefined;
  const example = endpoint.file && EXAMPLE_FILES[endpoint.file];
  return {
    method: endpoint.method,
    path: pathOf(endpoint, values),
    ...(hasMembers(fields) && { fields }),
    ...(example !== undefined && { file: file?.name ?? example }),
  };
}

/** The API checks the fields, as it does for every request. */
function isSpeech(value: unknown): value is SpeechRequest {
  return hasMembers(value);
}

/** Whether this device answers a request with this body. The fields that another server takes are not known here. */
export function isOfDevice(body: string, { listed, shelf }: Session): boolean {
  const model = member(parsed(body), 'model');
  if (upstreamNames().length === 0 || typeof model !== 'string') return true;
  if (Object.hasOwn(siteOptions().routes ?? {}, model)) return false;
  return !listed.elsewhere.value.has(model) && shelf.all.value.some(({ id }) => id === model);
}
