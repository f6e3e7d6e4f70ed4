import { messages as texts } from '../../messages/messages.ts';
import type { Figures } from '../answer/answer-stats.ts';
import type { Failure } from '../answer/api-failure.ts';
import { contentOf, type Attachment, type ContentPart } from '../attachments/attachment.ts';
import type { Citation, Source } from '../library/sources.ts';
import type { Decision, ServerStep } from '../servers/server-step.ts';
import type { ToolCode } from '../tools/run-calls.ts';
import type { ToolCall, ToolResult } from '../tools/tool-call.ts';

/** A question, an answer, or the results of the functions that an answer calls. */
export interface Turn {
  id: string;
  /** Id of the turn before it; null: it begins the conversation. */
  parent: string | null;
  role: 'user' | 'assistant' | 'tool';
  text: string;
  /** Only for questions. */
  attachments?: readonly Attachment[];
  /** The functions that an answer calls. */
  toolCalls?: readonly ToolCall[];
  /** The results of the called functions; only for the role `tool`. */
  results?: readonly ToolResult[];
  /** The passages of stored files that were found for an answer, the best first. */
  sources?: readonly Source[];
  /** Where an answer's text names its sources. */
  citations?: readonly Citation[];
  /** What servers were asked for while an answer was made. */
  steps?: readonly ServerStep[];
  /** Whether calls that an answer asked for may be made; only for the role `tool`. */
  decisions?: readonly Decision[];
  /** What a model thought before it answered. */
  reasoning?: string;
  /** Short remarks below an answer, e.g. `Stopped`. */
  notes?: string[];
  figures?: Figures;
  /** Id of the answer beside which this one of another model is shown; undefined: it stands alone, or has others beside it. */
  beside?: string;
  /** Id of the model that made an answer. */
  model?: string;
  /** Name of the server that made an answer; undefined: this device made it. */
  servedBy?: string;
  failure?: Failure;
  /**
   * Why an answer may lack its end. `writing`: it was saved while it was written, by a tab that may have ended since.
   * `unfinished`: it was stopped, cut off or failed. `looped`: it was ended because it repeated itself.
   */
  progress?: 'writing' | 'unfinished' | 'looped';
}

/** Settings of a conversation. If one is undefined, the console chooses. */
export interface ChatSettings {
  /** The system prompt; empty: none. */
  system: string;
  temperature?: number;
  topP?: number;
  maxTokens?: number;
  seed?: number;
  /** `false`: models do not think, if their chat template allows that. */
  thinking?: false;
  /** JSON Schema that answers match; empty: free text. */
  schema: string;
  /** JSON list of the functions that the model may call, as in the API; undefined: none. */
  tools?: string;
  /** The code of those functions that have some, by their names; undefined: the user gives all results. */
  code?: ToolCode;
  /** URLs of the MCP servers whose tools the model may call; undefined: none. */
  servers?: readonly string[];
  /** Id of a model that answers each question, too; undefined: none. */
  beside?: string;
  /** Whether to leave out the oldest turns if the conversation is too long for the model. */
  dropsOldest?: true;
}

/**
 * A conversation is a tree: an edited question or a repeated answer stands beside the old one. The shown turns are the
 * path from the beginning to `last`.
 */
export interface Conversation {
  /** Begins with `private` if it is never stored, and ends with its tab. */
  id: string;
  /** Unix milliseconds. */
  changedAt: number;
  settings: ChatSettings;
  /** The name that the user has given; undefined: the title is the beginning of the first question. */
  title?: string;
  /** Whether it stands above the others. */
  isPinned?: true;
  /** Each turn follows its parent. */
  turns: Turn[];
  /** Id of the last turn that is shown; null: none. */
  last: string | null;
}

export type Message =
  | { role: 'system' | 'user'; content: string | ContentPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: object[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** The item of the address that stands for a new private chat, and with which ids of private chats begin. */
export const PRIVATE = 'private';

/**
 * Whether a chat is private. Its id says it, so that an address whose private chat has ended does not open a chat that
 * is stored.
 *
 * @param item - the chat's id, or the item of its address
 */
export function isPrivate(item: string): boolean {
  return item.startsWith(PRIVATE);
}

/** @param item - of the address where it begins */
export function newConversation(item = ''): Conversation {
  const uuid = crypto.randomUUID();
  const id = isPrivate(item) ? `${PRIVATE}-${uuid}` : uuid;
  return { id, changedAt: Date.now(), settings: { system: '', schema: '' }, turns: [], last: null };
}

/** The turns that are shown, in their order. */
export function shownTurns({ turns, last }: Conversation): Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const path: Turn[] = [];
  for (let at = last; at !== null;) {
    const turn = byId.get(at);
    if (!turn) break;
    path.push(turn);
    at = turn.parent;
  }
  return path.reverse();
}

/** How often the model has got results of functions since the last question. */
export function roundsOf(conversation: Conversation): number {
  const shown = shownTurns(conversation);
  const question = shown.findLastIndex(({ role }) => role === 'user');
  return shown.slice(question).filter(({ role }) => role === 'tool').length;
}

/** Whether an answer's chat has questions before the one that it answers, which can be left out. */
export function hasOlderQuestions(conversation: Conversation, { id }: Turn): boolean {
  const before = shownTurns({ ...conversation, last: id });
  return before.filter(({ role }) => role === 'user').length > 1;
}

/** The turns with the same parent, including this one, the oldest first. */
export function alternatives({ turns }: Conversation, { parent }: Turn): Turn[] {
  return turns.filter((turn) => turn.parent === parent);
}

/** The answers to one question that are shown beside each other, in their order; only this one: it stands alone. */
export function besides({ turns }: Conversation, turn: Turn): Turn[] {
  const first = turn.beside ?? turn.id;
  return turns.filter((each) => each.id === first || each.beside === first);
}

/** Adds a turn and shows it, or replaces the one with its id. */
export function withTurn(conversation: Conversation, turn: Turn): Conversation {
  const { turns } = conversation;
  const isKnown = turns.some(({ id }) => id === turn.id);
  return {
    ...conversation,
    changedAt: Date.now(),
    turns: isKnown ? turns.map((old) => (old.id === turn.id ? turn : old)) : [...turns, turn],
    last: isKnown ? conversation.last : turn.id,
  };
}

/** A new turn with another text, to stand beside an answer. If the answer may lack its end, so may this one. */
export function edited(turn: Turn, text: string): Turn {
  const { failure: _, progress, ...answer } = turn;
  return {
    ...answer,
    id: crypto.randomUUID(),
    text,
    notes: [texts.value.chat.notes.edited],
    ...(progress && { progress: 'unfinished' }),
  };
}

/** Removes a turn and all that follow it. If it was shown, shows an alternative, or else the turn before. */
export function withoutTurn(conversation: Conversation, removed: Turn): Conversation {
  const gone = new Set([removed.id]);
  for (const { id, parent } of conversation.turns) if (parent && gone.has(parent)) gone.add(id);
  const rest = {
    ...conversation,
    changedAt: Date.now(),
    turns: conversation.turns.filter(({ id }) => !gone.has(id)),
  };
  if (rest.last === null || !gone.has(rest.last)) return rest;
  const other = alternatives(rest, removed).at(-1);
  return other ? showing(rest, other) : { ...rest, last: removed.parent };
}

/** Brings back the turns of an earlier state, and shows what it showed. Turns that came since stay. */
export function withTurnsOf(conversation: Conversation, before: Conversation): Conversation {
  const now = new Map(conversation.turns.map((turn) => [turn.id, turn]));
  const back = before.turns.map((turn) => now.get(turn.id) ?? turn);
  for (const { id } of back) now.delete(id);
  const turns = [...back, ...now.values()];
  return { ...conversation, changedAt: Date.now(), turns, last: before.last };
}

/**
 * A conversation with the turns that another state of it has besides. Of what both have, that of the newer state counts.
 * Returns `known` itself if the other state has nothing new.
 */
export function joined(known: Conversation, other: Conversation): Conversation {
  const ids = new Set(known.turns.map(({ id }) => id));
  const isNewer = other.changedAt > known.changedAt;
  if (!isNewer && other.turns.every(({ id }) => ids.has(id))) return known;
  const [older, newer] = isNewer ? [known, other] : [other, known];
  const { changedAt, last } = newer;
  return { ...withTurnsOf(newer, older), changedAt, last };
}

/** Shows a turn, and after each turn the newest one that follows it. */
export function showing(conversation: Conversation, turn: Turn): Conversation {
  let last = turn;
  for (;;) {
    const next = conversation.turns.findLast(({ parent }) => parent === last.id);
    if (!next) return { ...conversation, last: last.id };
    last = next;
  }
}

/** A new conversation that begins with the shown turns up to this one. */
export function branchedOff(conversation: Conversation, end: Turn): Conversation {
  const path = shownTurns(conversation);
  const turns = path.slice(0, path.findIndex(({ id }) => id === end.id) + 1);
  return {
    ...newConversation(conversation.id),
    settings: conversation.settings,
    turns,
    last: end.id,
  };
}

/**
 * The messages that the model reads. Answers without text and calls without results are left out.
 *
 * @param sees - whether the model is shown pictures
 */
export function messagesOf(
  turns: readonly Turn[],
  { system }: ChatSettings,
  sees: boolean,
): Message[] {
  const messages = turns.flatMap((turn, index) => messagesOfTurn(turn, turns[index + 1], sees));
  return system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages];
}

function messagesOfTurn(turn: Turn, next: Turn | undefined, sees: boolean): Message[] {
  const { role, text, attachments = [], toolCalls = [], results = [] } = turn;
  if (role === 'user') return [{ role, content: contentOf(text, attachments, sees) }];
  if (role === 'tool') {
    return results.map(({ call, text: content }) => ({ role, tool_call_id: call, content }));
  }
  if (next?.role === 'tool' && toolCalls.length > 0) {
    return [{ role, content: text || null, tool_calls: toolCalls.map(asSent) }];
  }
  return text === '' ? [] : [{ role, content: text }];
}

function asSent({ id, name, arguments: given }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: given } };
}

/** The messages without the oldest question and its answer; undefined if only the last question is left. */
export function withoutOldest(messages: readonly Message[]): Message[] | undefined {
  const questions = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const [oldest, next] = questions;
  if (oldest === undefined || next === undefined) return undefined;
  return [...messages.slice(0, oldest), ...messages.slice(next)];
}

const TITLE_LENGTH = 48;

/** The given name, else the beginning of the first question, or the name of its first attachment. */
export function titleOf({ title, turns: [first] }: Conversation): string {
  if (title !== undefined) return title;
  const text = (first?.text || first?.attachments?.[0]?.name || '').trim().replaceAll(/\s+/g, ' ');
  if (text === '') return texts.value.chat.newChat;
  return text.length <= TITLE_LENGTH ? text : `${text.slice(0, TITLE_LENGTH - 1).trimEnd()}…`;
}
