import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { KeptResponses } from './kept-responses.ts';
import type { PlacedItem } from './response-items.ts';
import type { InputItem, ResponseRequest } from './response-request.ts';

type Continuing = Pick<ResponseRequest, 'input' | 'previous_response_id' | 'conversation'>;

/**
 * The items that a request is about: those of the answer or the conversation that it continues, and its own. References
 * are replaced by the items that they name.
 *
 * @param conversation - the items of the request's conversation; undefined: it has none
 * @throws ApiError 400 if there are no items or the answer is not kept, 404 for references to items that are not kept
 */
export async function wholeInput(
  request: Continuing,
  kept: KeptResponses,
  conversation?: readonly InputItem[],
): Promise<PlacedItem[]> {
  const own = ownItems(request);
  const { previous_response_id: id } = request;
  const past = id ? await kept.itemsUpTo(id) : [];
  const references = own.flatMap(({ item }) => referenceOf(item) ?? []);
  const found = await kept.items(references);
  const calls = own.flatMap(({ item }) => callWithoutOutput(item) ?? []);
  const outputs = await kept.known(calls);
  const named = new Map([
    ...references.map((reference, index) => [reference, found[index]] as const),
    ...calls.map((call, index) => [call, outputs[index]] as const),
  ]);
  return [
    ...(conversation ?? []).map((item) => ({ item, field: 'conversation' })),
    ...past.map((item) => ({ item, field: 'previous_response_id' })),
    ...own.map(({ item, field }) => ({
      item: named.get(referenceOf(item) ?? callWithoutOutput(item) ?? '') ?? item,
      field,
    })),
  ];
}

/** The items of a request that needs no others; undefined: it continues something, or refers to items. */
export function itemsAlone(request: Continuing): PlacedItem[] | undefined {
  const own = ownItems(request);
  const refers = own.some(({ item }) => referenceOf(item) !== undefined);
  const continues = request.previous_response_id || request.conversation;
  return continues || refers ? undefined : own;
}

function ownItems({ input, ...rest }: Continuing): PlacedItem[] {
  if (rest.conversation != null && rest.previous_response_id != null) {
    const message = "'conversation' and 'previous_response_id' exclude each other.";
    throw invalidRequest(message, 'conversation');
  }
  if (typeof input === 'string') {
    return [{ item: { role: 'user', content: input }, field: 'input' }];
  }
  if (input.length > 0) return input.map((item, index) => ({ item, field: `input[${index}]` }));
  throw invalidRequest("'input' must not be empty.", 'input', 'empty_array');
}

/** The id of the item that this one stands for. A reference may lack its type. */
function referenceOf(item: InputItem): string | undefined {
  if ('unsupported' in item) return undefined;
  const isReference = item.type === 'item_reference' || (item.type == null && item.role == null);
  return isReference ? (item.id ?? undefined) : undefined;
}

/** The id of a call of a server's tool whose output the client has left out, as the OpenAI Agents SDK does. */
function callWithoutOutput(item: InputItem): string | undefined {
  if ('unsupported' in item || item.type !== 'mcp_call') return undefined;
  return item.output == null && item.error == null ? (item.id ?? undefined) : undefined;
}
