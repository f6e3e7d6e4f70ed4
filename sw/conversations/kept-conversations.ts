import * as v from 'valibot';
import { invalidRequest, refusal } from '../../src/core/errors/errors.ts';
import type { Engine } from '../../src/core/port/engine.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import { memoryOf, type ClientMemory } from '../client-memory.ts';
import { newId } from '../generation/answer/ids.ts';
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
  readonly #memory: ClientMemory;

  /** @param client - id of its key */
  constructor(engine: Engine<'memory'>, client: string) {
    this.#memory = memoryOf(engine, client);
  }

  /** @param param - the request's field that names it. @throws ApiError 404 */
  async get(id: string, param: string | null = null): Promise<Conversation> {
    const [value] = await this.#memory({ recall: [id] });
    const found = v.safeParse(conversationSchema, value);
    if (found.success) return found.output;
    const message =
      `Conversation '${id}' not found: conversations are kept in memory only, while the tab that hosts the ` +
      'engine lives. Send the whole conversation in `input`.';
    throw refusal(404, message, 'conversation_not_found', param);
  }

  /** @throws ApiError 400 if it is too large to be kept; what was kept of it stays */
  async keep(conversation: Conversation): Promise<void> {
    const { id } = conversation;
    const bytes = stringifyExact(conversation).length;
    // Only the version tells whether it was this one that is kept.
    const version = newId('');
    const values = new Map<string, unknown>([
      [id, conversation],
      [version, true],
    ]);
    const [isKept] = await this.#memory({ remember: { id, values, bytes }, recall: [version] });
    if (!isKept) throw invalidRequest('The conversation is too large.', 'items');
  }

  async forget(id: string): Promise<void> {
    await this.#memory({ forget: [id] });
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
