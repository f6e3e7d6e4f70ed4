import { hasMembers, member } from '../../../json.ts';
import {
  newConversation,
  showing,
  withTurn,
  type Conversation,
  type Turn,
} from '../conversation.ts';
import { ownConversation } from './own-format.ts';
import { number, text } from './values.ts';

/** An id of a file that can stand in the address of a chat. Ids of private chats begin with `private`. */
const USABLE_ID = /^(?!private)[\w-]{1,64}$/;

/** A message of another product's tree of messages. */
interface Node {
  id: string;
  parent: string | null;
  /** Null: the chat does not show it, e.g. a system message. */
  turn: Pick<Turn, 'role' | 'text' | 'model'> | null;
}

/** A chat of another product. */
interface Foreign {
  id: string;
  title: string;
  /** Unix milliseconds; 0: unknown, so it counts as the oldest. */
  changedAt: number;
  nodes: Node[];
  /** Id of the last message that was shown. */
  last: string;
  isPinned: boolean;
}

/**
 * The conversations of an exported file: of this console, of ChatGPT (`conversations.json`), or of Open WebUI. What is
 * none of these is left out.
 *
 * @param file - the parsed JSON, a list or one chat
 */
export function importedConversations(file: unknown): Conversation[] {
  const all: unknown[] = Array.isArray(file) ? file : [file];
  return all
    .flatMap((chat) => imported(chat) ?? [])
    .filter(({ turns }) => turns.length > 0)
    .map((chat) => ({ ...chat, id: USABLE_ID.test(chat.id) ? chat.id : crypto.randomUUID() }));
}

function imported(chat: unknown): Conversation | undefined {
  if (member(chat, 'mapping') !== undefined) return converted(ofOpenAi(chat));
  if (member(member(chat, 'chat'), 'history') !== undefined) return converted(ofOpenWebUi(chat));
  return ownConversation(chat);
}

function ofOpenAi(chat: unknown): Foreign {
  const nodes = entriesOf(member(chat, 'mapping')).map(([id, node]): Node => {
    const message = member(node, 'message');
    const content = member(message, 'content');
    const parts = member(content, 'parts');
    const isText = member(content, 'content_type') === 'text' || Array.isArray(parts);
    const words = isText && Array.isArray(parts) ? parts.filter(isString).join('\n\n') : '';
    const role = text(member(member(message, 'author'), 'role'));
    const model = text(member(member(message, 'metadata'), 'model_slug'));
    return { id, parent: text(member(node, 'parent')) || null, turn: turnOf(role, words, model) };
  });
  return {
    id: text(member(chat, 'conversation_id')) || text(member(chat, 'id')),
    title: text(member(chat, 'title')),
    changedAt: number(member(chat, 'update_time')) * 1000,
    nodes,
    last: text(member(chat, 'current_node')),
    isPinned: false,
  };
}

function ofOpenWebUi(file: unknown): Foreign {
  const chat = member(file, 'chat');
  const history = member(chat, 'history');
  const nodes = entriesOf(member(history, 'messages')).map(([id, message]): Node => ({
    id,
    parent: text(member(message, 'parentId')) || null,
    turn: turnOf(
      text(member(message, 'role')),
      text(member(message, 'content')),
      text(member(message, 'model')),
    ),
  }));
  return {
    id: text(member(file, 'id')),
    title: text(member(file, 'title')) || text(member(chat, 'title')),
    changedAt: number(member(file, 'updated_at')) * 1000,
    nodes,
    last: text(member(history, 'currentId')),
    isPinned: member(file, 'pinned') === true,
  };
}

function converted({ id, title, changedAt, nodes, last, isPinned }: Foreign): Conversation {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let conversation = newConversation();
  for (const { id: turn, turn: content } of inOrder(nodes)) {
    if (!content) continue;
    const parent = shownAncestor(byId, byId.get(turn)?.parent ?? null);
    conversation = withTurn(conversation, { id: turn, parent, ...content });
  }
  const end = conversation.turns.find((turn) => turn.id === shownAncestor(byId, last));
  return {
    ...(end ? showing(conversation, end) : conversation),
    ...(id !== '' && { id }),
    ...(title !== '' && { title }),
    changedAt,
    ...(isPinned && { isPinned }),
  };
}

/** The nodes from the roots on, each after its parent. Those whose parents form a circle are left out. */
function inOrder(nodes: readonly Node[]): Node[] {
  const known = new Set(nodes.map(({ id }) => id));
  const children = Map.groupBy(nodes, ({ parent }) =>
    parent !== null && known.has(parent) ? parent : null,
  );
  const ordered: Node[] = [];
  const waiting = [...(children.get(null) ?? [])];
  for (let node = waiting.shift(); node; node = waiting.shift()) {
    ordered.push(node);
    waiting.push(...(children.get(node.id) ?? []));
  }
  return ordered;
}

/** The message itself if the chat shows it, else the nearest one before it that the chat shows. */
function shownAncestor(nodes: ReadonlyMap<string, Node>, from: string | null): string | null {
  const seen = new Set<string>();
  for (let id = from; id !== null && !seen.has(id);) {
    const node = nodes.get(id);
    if (!node) return null;
    if (node.turn) return id;
    seen.add(id);
    id = node.parent;
  }
  return null;
}

/** @param model - its name, where it answers; empty: unknown */
function turnOf(role: string, words: string, model: string): Node['turn'] {
  if (words.trim() === '') return null;
  if (role === 'user') return { role, text: words };
  if (role !== 'assistant') return null;
  return { role, text: words, ...(model !== '' && { model }) };
}

function entriesOf(value: unknown): [string, unknown][] {
  return hasMembers(value) ? Object.entries(value) : [];
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
