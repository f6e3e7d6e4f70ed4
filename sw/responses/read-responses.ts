import { unsupportedValue } from '../../src/core/errors/errors.ts';
import type { Context } from '../context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { inputList } from './input-list.ts';
import { KeptResponses } from './kept-responses.ts';

/** `GET v1/responses/{response}` */
export async function getResponse({
  request,
  engine,
  key,
  names: [id = ''],
}: Context): Promise<Response> {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('stream') === 'true') {
    throw unsupportedValue("'stream' is not supported: the answer is complete.", 'stream');
  }
  const { body } = await new KeptResponses(engine, key.id).get(id);
  return jsonResponse(body);
}

/** `DELETE v1/responses/{response}` */
export async function deleteResponse({
  engine,
  key,
  names: [id = ''],
}: Context): Promise<Response> {
  await new KeptResponses(engine, key.id).delete(id);
  return jsonResponse({ id, object: 'response', deleted: true });
}

/** `GET v1/responses/{response}/input_items` */
export async function listInputItems({
  request,
  engine,
  key,
  names: [id = ''],
}: Context): Promise<Response> {
  const { input } = await new KeptResponses(engine, key.id).get(id);
  return jsonResponse(inputList(input, new URL(request.url).searchParams));
}
