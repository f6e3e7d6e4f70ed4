import * as v from 'valibot';
import { invalidRequest, refusal } from '../../src/core/errors/errors.ts';
import type { MemoryJob } from '../../src/core/operations/jobs.ts';
import { onlyEvent, type Engine } from '../../src/core/port/engine.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import { anyObject } from '../http/fields.ts';
import { listedItem } from '../responses/listed-item.ts';
import { item, type InputItem } from '../responses/response-request.ts';

const conversationSchema = v.object({
  id: v.string(),
  created_at: v.number(),
  metadata: anyObject,
  items: v.array(anyObject),
});

/** A conversation, and its items as the API lists them: each has an id. */
export type Conversation = v.InferOutput<typeof conversationSchema>;

/** The conversations of one client in the memory of the leading tab. */
export class KeptConversations {
  readonly #engine: Engine<'memory'>;
  readonly #client: string;

  /** @param client - id of its key */
  constructor(engine: Engine<'memory'>, client: string) {
    this.#engine = engine;
    this.#client = client;
  }

  /** @param param - the request's field that names it. @throws ApiError 404 */
  async get(id: string, param: string | null = null): Promise<Conversation> {
    const [value] = await this.#exchange({ recall: [id] });
    const found = v.safeParse(conversationSchema, value);
    if (found.success) return found.output;
    const message =
      `Conversation '${id}' not found: conversations are kept in memory only, while the tab that hosts the ` +
      'engine lives. Send the whole conversation in `input`.';
    throw refusal(404, message, 'conversation_not_found', param);
  }

  /** @throws ApiError 400 if it is too large to be kept */
  async keep(conversation: Conversation): Promise<void> {
    const { id } = conversation;
    const bytes = stringifyExact(conversation).length;
    const remember = { id, values: new Map([[id, conversation]]), bytes };
    const [kept] = await this.#exchange({ forget: [id], remember, recall: [id] });
    if (kept === undefined) throw invalidRequest('The conversation is too large.', 'items');
  }

  async forget(id: string): Promise<void> {
    await this.#exchange({ forget: [id] });
  }

  async #exchange(request: Omit<MemoryJob, 'op' | 'client'>): Promise<unknown[]> {
    const job: MemoryJob = { op: 'memory', client: this.#client, ...request };
    // Nothing aborts the job, because it takes only a moment.
    const { values } = await onlyEvent(this.#engine, job, new AbortController().signal);
    return values;
  }
}

/** The conversation with these items at its end. */
export function withItems(
  conversation: Conversation,
  added: readonly InputItem[],
): { conversation: Conversation; listed: Record<string, unknown>[] } {
  const listed = added.map(listedItem);
  const items = [...conversation.items, ...listed];
  return { conversation: { ...conversation, items }, listed };
}

/** The items as a request has them. */
export function inputItems({ items }: Conversation): InputItem[] {
  return v.parse(v.array(item), items);
}
