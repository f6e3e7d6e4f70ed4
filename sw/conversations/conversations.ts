import * as v from 'valibot';
import { refusal } from '../../src/core/errors/errors.ts';
import type { Context } from '../context.ts';
import { newId, unixSeconds } from '../generation/answer/ids.ts';
import { metadata, object, optional } from '../http/fields.ts';
import { jsonResponse } from '../http/json-response.ts';
import { required } from '../http/parse-value.ts';
import { inputList } from '../responses/input-list.ts';
import { itemMessages } from '../responses/response-items.ts';
import { item, type InputItem, type KnownItem } from '../responses/response-request.ts';
import { KeptConversations, withItems, type Conversation } from './kept-conversations.ts';
import { turnIn } from './turns.ts';

/** Most items that are added at once. */
const MOST_ITEMS = 20;

const items = v.pipe(
  v.array(item, 'must be an array'),
  v.check((given) => given.length <= MOST_ITEMS, `must have at most ${MOST_ITEMS} items`),
);

export const conversationSchema = object(
  { items: optional(items), metadata: optional(metadata) },
  'must be a JSON object',
);
export const changeSchema = object({ metadata }, 'must be a JSON object');
export const itemsSchema = object({ items }, 'must be a JSON object');

/** `POST v1/conversations` */
export async function createConversation(context: Context): Promise<Response> {
  const { items: given, metadata: named } = await context.body.parseOptional(conversationSchema);
  checkItems(given ?? []);
  const empty: Conversation = {
    id: newId('conv_'),
    created_at: unixSeconds(),
    metadata: named ?? {},
    items: [],
  };
  const { conversation } = withItems(empty, given ?? []);
  await keptBy(context).keep(conversation);
  return jsonResponse(bodyOf(conversation));
}

/** `GET v1/conversations/{conversation}` */
export async function getConversation(context: Context): Promise<Response> {
  return jsonResponse(bodyOf(await keptBy(context).get(idOf(context))));
}

/** `POST v1/conversations/{conversation}`: other metadata. */
export async function changeConversation(context: Context): Promise<Response> {
  const { metadata: named } = await context.body.parse(changeSchema);
  const changed = await change(context, (known) => ({ ...known, metadata: named }));
  return jsonResponse(bodyOf(changed));
}

/** `DELETE v1/conversations/{conversation}` */
export async function deleteConversation(context: Context): Promise<Response> {
  const id = idOf(context);
  await alone(context, async (kept) => {
    await kept.get(id);
    await kept.forget(id);
  });
  return jsonResponse({ id, object: 'conversation.deleted', deleted: true });
}

/** `POST v1/conversations/{conversation}/items` */
export async function addItems(context: Context): Promise<Response> {
  const { items: given } = await context.body.parse(itemsSchema);
  checkItems(given);
  let added: Record<string, unknown>[] = [];
  await change(context, (known) => {
    const { conversation, listed } = withItems(known, given);
    added = listed;
    return conversation;
  });
  const ids = added.map(({ id }) => id);
  return jsonResponse({
    object: 'list',
    data: added,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
    has_more: false,
  });
}

/** `GET v1/conversations/{conversation}/items` */
export async function listItems(context: Context): Promise<Response> {
  const { items: all } = await keptBy(context).get(idOf(context));
  return jsonResponse(inputList(all, new URL(context.request.url).searchParams));
}

/** `GET v1/conversations/{conversation}/items/{item}` */
export async function getItem(context: Context): Promise<Response> {
  return jsonResponse(itemOf(await keptBy(context).get(idOf(context)), itemId(context)));
}

/** `DELETE v1/conversations/{conversation}/items/{item}`; answers with the conversation. */
export async function deleteItem(context: Context): Promise<Response> {
  const changed = await change(context, (known) => {
    const gone = itemOf(known, itemId(context));
    return { ...known, items: known.items.filter((each) => each !== gone) };
  });
  return jsonResponse(bodyOf(changed));
}

function change(
  context: Context,
  to: (conversation: Conversation) => Conversation,
): Promise<Conversation> {
  return alone(context, async (kept) => {
    const changed = to(await kept.get(idOf(context)));
    await kept.keep(changed);
    return changed;
  });
}

/** Does something with a conversation while nobody else does, and no answer is being written in it. */
async function alone<T>(
  context: Context,
  work: (kept: KeptConversations) => Promise<T>,
): Promise<T> {
  const leave = await turnIn(turnOf(context.key.id, idOf(context)), context.signal);
  try {
    return await work(keptBy(context));
  } finally {
    leave();
  }
}

/** The queue of those that change a conversation. */
export function turnOf(client: string, conversation: string): string {
  return `${client} ${conversation}`;
}

function keptBy({ engine, key }: Context): KeptConversations {
  return new KeptConversations(engine, key.id);
}

function idOf({ names: [id = ''] }: Context): string {
  return id;
}

function itemId({ names: [, id = ''] }: Context): string {
  return id;
}

function itemOf(conversation: Conversation, id: string): Record<string, unknown> {
  const found = conversation.items.find((each) => each['id'] === id);
  if (found) return found;
  throw refusal(404, `Item '${id}' not found in conversation '${conversation.id}'.`);
}

/** Items that answer another one, and their field that names it. */
const ANSWERS = {
  function_call_output: 'call_id',
  mcp_approval_response: 'approval_request_id',
} as const;

/** @throws ApiError 400 for items that no answer could use. An answer may be to an item that is there already. */
function checkItems(given: readonly InputItem[]): void {
  const placed = given.map((each, at) => ({ item: each, field: `items[${at}]` }));
  itemMessages(
    undefined,
    placed.filter(({ item: each }) => !isAnswer(each)),
    [],
  );
  for (const { item: each, field } of placed) {
    if (!isAnswer(each)) continue;
    const name = ANSWERS[each.type];
    required(each[name], `${field}.${name}`);
  }
}

function isAnswer(each: InputItem): each is KnownItem & { type: keyof typeof ANSWERS } {
  return 'type' in each && Object.hasOwn(ANSWERS, each.type ?? '');
}

function bodyOf({ id, created_at, metadata: named }: Conversation) {
  return { id, object: 'conversation', created_at, metadata: named };
}
