import { unsupportedValue } from '../../src/core/errors/errors.ts';
import type { Context } from '../context.ts';
import { integerIn, object } from '../http/fields.ts';
import { jsonResponse } from '../http/json-response.ts';
import { parseValue } from '../http/parse-value.ts';
import type { Handler } from '../road/road.ts';
import { inputList } from './input-list.ts';
import { KeptResponses } from './kept-responses.ts';
import type { WrittenResponses } from './written-responses.ts';

const resuming = object({ starting_after: integerIn(0, Number.MAX_SAFE_INTEGER) });

/** `GET v1/responses/{response}`, of a whole answer or of one that is being written */
export function gettingResponses(written: WrittenResponses): Handler {
  return async ({ request, engine, key, names: [id = ''] }) => {
    const { searchParams } = new URL(request.url);
    const kept = new KeptResponses(engine, key.id);
    if (searchParams.get('stream') === 'true') {
      const after = searchParams.get('starting_after');
      const { starting_after } = parseValue({ starting_after: after && Number(after) }, resuming);
      const streamed = written.find(key.id, id);
      if (streamed) return streamed.stream(starting_after ?? -1);
      await kept.get(id);
      throw unsupportedValue(
        "'stream' is not supported: the events of the answer are gone.",
        'stream',
      );
    }
    const unfinished = written.findUnfinished(key.id, id);
    if (unfinished) return jsonResponse(unfinished.body);
    const { body } = await kept.get(id);
    return jsonResponse(body);
  };
}

/** `DELETE v1/responses/{response}`; one that is being written ends */
export function deletingResponses(written: WrittenResponses): Handler {
  return async ({ engine, key, names: [id = ''] }) => {
    const unfinished = written.findUnfinished(key.id, id);
    if (unfinished) unfinished.delete();
    else await new KeptResponses(engine, key.id).delete(id);
    written.forget(key.id, id);
    return jsonResponse({ id, object: 'response', deleted: true });
  };
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
