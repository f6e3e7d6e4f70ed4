import { member } from '../../../json.ts';
import type { Figures } from '../../answer/answer-stats.ts';
import type { Attachment } from '../../attachments/attachment.ts';
import type { ChatSettings, Conversation, Turn } from '../conversation.ts';
import { ownSteps } from '../../servers/server-step.ts';
import { list, number, numbers, text } from './values.ts';

const FIGURES = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'tokensPerSecond',
  'firstTokenSeconds',
] as const;

/**
 * A conversation of the console's own export. Only what the console knows is taken, because somebody may have changed the
 * file. Undefined: the value is no conversation.
 */
export function ownConversation(chat: unknown): Conversation | undefined {
  const id = text(member(chat, 'id'));
  const turns = ownTurns(list(member(chat, 'turns')));
  if (id === '' || turns.length === 0) return undefined;
  const title = text(member(chat, 'title'));
  const last = turns.find((turn) => turn.id === member(chat, 'last')) ?? turns.at(-1);
  return {
    id,
    changedAt: number(member(chat, 'changedAt')),
    settings: ownSettings(member(chat, 'settings')),
    turns,
    last: last?.id ?? null,
    ...(title !== '' && { title }),
    ...(member(chat, 'isPinned') === true && { isPinned: true }),
  };
}

/** The turns that follow a known one, so that every path has a beginning. */
function ownTurns(values: readonly unknown[]): Turn[] {
  const turns = new Map<string, Turn>();
  for (const value of values) {
    const turn = ownTurn(value);
    const follows = turn && (turn.parent === null || turns.has(turn.parent));
    if (follows && !turns.has(turn.id)) turns.set(turn.id, turn);
  }
  return [...turns.values()];
}

function ownTurn(value: unknown): Turn | undefined {
  const id = text(member(value, 'id'));
  const role = member(value, 'role');
  if (id === '' || (role !== 'user' && role !== 'assistant' && role !== 'tool')) return undefined;
  const attachments = list(member(value, 'attachments')).flatMap(ownAttachment);
  const toolCalls = list(member(value, 'toolCalls')).map((call) => ({
    id: text(member(call, 'id')),
    name: text(member(call, 'name')),
    arguments: text(member(call, 'arguments')),
  }));
  const results = list(member(value, 'results')).map((result) => ({
    call: text(member(result, 'call')),
    name: text(member(result, 'name')),
    text: text(member(result, 'text')),
  }));
  const sources = list(member(value, 'sources')).map((source) => ({
    file: text(member(source, 'file')),
    text: text(member(source, 'text')),
  }));
  const citations = list(member(value, 'citations')).map((citation) => ({
    at: number(member(citation, 'at')),
    file: text(member(citation, 'file')),
  }));
  const steps = ownSteps(list(member(value, 'steps')));
  const decisions = list(member(value, 'decisions')).map((decision) => ({
    request: text(member(decision, 'request')),
    name: text(member(decision, 'name')),
    isApproved: member(decision, 'isApproved') === true,
  }));
  const beside = text(member(value, 'beside'));
  const notes = list(member(value, 'notes')).map(text);
  const figures = ownFigures(member(value, 'figures'));
  const reasoning = text(member(value, 'reasoning'));
  const model = text(member(value, 'model'));
  const servedBy = text(member(value, 'servedBy'));
  const isUnfinished = member(value, 'progress') !== undefined;
  return {
    id,
    parent: text(member(value, 'parent')) || null,
    role,
    text: text(member(value, 'text')),
    ...(attachments.length > 0 && { attachments }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(results.length > 0 && { results }),
    ...(sources.length > 0 && { sources }),
    ...(citations.length > 0 && { citations }),
    ...(steps.length > 0 && { steps }),
    ...(decisions.length > 0 && { decisions }),
    ...(beside !== '' && { beside }),
    ...(notes.length > 0 && { notes }),
    ...(figures && { figures }),
    ...(reasoning !== '' && { reasoning }),
    ...(model !== '' && { model }),
    ...(servedBy !== '' && { servedBy }),
    ...(isUnfinished && { progress: 'unfinished' }),
  };
}

function ownFigures(value: unknown): Figures | undefined {
  const { promptTokens, completionTokens, ...others } = numbers(value, FIGURES);
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  return { cachedTokens: 0, ...others, promptTokens, completionTokens };
}

/**
 * A picture must be in the file itself: to fetch it from elsewhere would tell its host that the chat is read. Stored files
 * are not in the file, and are left out.
 */
function ownAttachment(value: unknown): Attachment[] {
  const [id, name] = [text(member(value, 'id')), text(member(value, 'name'))];
  const url = text(member(value, 'url'));
  if (member(value, 'kind') === 'image') {
    return url.startsWith('data:image/') ? [{ kind: 'image', id, name, url }] : [];
  }
  if (member(value, 'kind') !== 'file') return [];
  return [{ kind: 'file', id, name, text: text(member(value, 'text')) }];
}

/** Settings of a chat, as far as the console knows them. */
export function ownSettings(value: unknown): ChatSettings {
  const tools = text(member(value, 'tools'));
  const code = textsOf(member(value, 'code'));
  const servers = list(member(value, 'servers')).map(text);
  const beside = text(member(value, 'beside'));
  return {
    system: text(member(value, 'system')),
    schema: text(member(value, 'schema')),
    ...numbers(value, ['temperature', 'topP', 'maxTokens', 'seed']),
    ...(tools !== '' && { tools }),
    ...(Object.keys(code).length > 0 && { code }),
    ...(servers.length > 0 && { servers }),
    ...(beside !== '' && { beside }),
    ...(member(value, 'thinking') === false && { thinking: false }),
    ...(member(value, 'dropsOldest') === true && { dropsOldest: true }),
  };
}

/** The members that are texts, but not empty. */
function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  const texts = Object.entries(value).map(([name, each]): [string, string] => [name, text(each)]);
  return Object.fromEntries(texts.filter(([, each]) => each !== ''));
}
