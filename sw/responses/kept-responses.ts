import * as v from 'valibot';
import type { Engine } from '../../src/core/port/engine.ts';
import { type ApiError, invalidRequest, refusal } from '../../src/core/errors/errors.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import { memoryOf, type ClientMemory } from '../client-memory.ts';
import { anyObject } from '../http/fields.ts';
import { listedItem } from './listed-item.ts';
import type { ResponseBody } from './response-body.ts';
import { item, type InputItem } from './response-request.ts';

/** The end of the message about an answer that is not there. */
const WHY =
  'responses are kept in memory only, while the tab that hosts the engine lives. ' +
  'Send the whole conversation in `input`.';

const keptSchema = v.object({ body: anyObject, input: v.array(anyObject) });

/** An answer, and the whole input that led to it. */
export type KeptResponse = v.InferOutput<typeof keptSchema>;

/** The answers of one client in the memory of the leading tab. */
export class KeptResponses {
  readonly #memory: ClientMemory;

  /** @param client - id of its key */
  constructor(engine: Engine<'memory'>, client: string) {
    this.#memory = memoryOf(engine, client);
  }

  /** @returns whether the answer is kept: it may be too large, or the engine may be gone */
  async keep(body: ResponseBody, input: readonly InputItem[]): Promise<boolean> {
    const response: KeptResponse = { body: { ...body }, input: input.map(listedItem) };
    const values = new Map<string, unknown>([[body.id, response]]);
    for (const each of body.output) values.set(each.id, each);
    const bytes = stringifyExact(response).length + JSON.stringify(body.output).length;
    const remember = { id: body.id, values, bytes };
    const recall = body.output.slice(0, 1).map(({ id }) => id);
    const found = await this.#memory({ remember, recall }).catch(() => []);
    return found[0] !== undefined;
  }

  /** @throws ApiError 404 */
  async get(id: string): Promise<KeptResponse> {
    const response = await this.#find(id);
    if (response) return response;
    throw notFound(`Response '${id}' not found: ${WHY}`, null);
  }

  /** @throws ApiError 404 */
  async delete(id: string): Promise<void> {
    await this.get(id);
    await this.#memory({ forget: [id] });
  }

  /** The items of the conversation up to the end of an answer. @throws ApiError 400 */
  async itemsUpTo(id: string): Promise<InputItem[]> {
    const response = await this.#find(id);
    const all = response && [...response.input, ...outputOf(response)];
    const items = v.safeParse(v.array(item), all);
    if (items.success) return items.output;
    const message = `Previous response '${id}' not found: ${WHY}`;
    throw invalidRequest(message, 'previous_response_id', 'previous_response_not_found');
  }

  /** The items with these ids. @throws ApiError 404 */
  async items(ids: string[]): Promise<InputItem[]> {
    const found = await this.known(ids);
    return ids.map((id, index) => {
      const known = found[index];
      if (known) return known;
      throw notFound(`Item '${id}' not found: ${WHY}`, 'input');
    });
  }

  /** The items with these ids; undefined for those that are not kept. */
  async known(ids: string[]): Promise<(InputItem | undefined)[]> {
    const values = ids.length > 0 ? await this.#memory({ recall: ids }) : [];
    return ids.map((_, index) => {
      const found = v.safeParse(item, values[index]);
      return found.success ? found.output : undefined;
    });
  }

  async #find(id: string): Promise<KeptResponse | undefined> {
    const [value] = await this.#memory({ recall: [id] });
    const parsed = v.safeParse(keptSchema, value);
    return parsed.success ? parsed.output : undefined;
  }
}

function outputOf({ body }: KeptResponse): unknown[] {
  return Array.isArray(body['output']) ? body['output'] : [];
}

function notFound(message: string, param: string | null): ApiError {
  return refusal(404, message, null, param);
}
