import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { fill } from '../../messages/fill.ts';
import { messages as texts } from '../../messages/messages.ts';
import type { ListedModels } from '../../models/listed-models.ts';
import type { ModelShelf } from '../../models/model-shelf.ts';
import { formatNumber } from '../../ui/format.ts';
import { AnswerClock, figuresOf } from './answer-stats.ts';
import { countTokens, streamAnswer, type AnswerEvent } from './api-client.ts';
import { describeFailure, type Failure } from './api-failure.ts';
import type { ApiAccess } from './api-request.ts';
import {
  messagesOf,
  shownTurns,
  withoutOldest,
  withTurn,
  type Conversation,
  type Message,
  type Turn,
} from '../conversation/conversation.ts';
import type { Conversations } from '../conversation/conversations.ts';
import { LoopGuard } from './loop-guard.ts';
import { RunningAnswer } from './running-answer.ts';
import { saveWhileWriting } from './written-answers.ts';
import { countOrTooMany, tooLongPart } from './too-long.ts';
import type { ToolResult } from '../tools/tool-call.ts';

/** Share of the context that stays free for the answer if old turns are left out. */
const ANSWER_SHARE = 0.25;

/** Asks the API and writes its answers into the conversations. One answer runs in each conversation. */
export class Answerer {
  readonly #api: ApiAccess;
  readonly #shelf: ModelShelf;
  readonly #listed: ListedModels;
  readonly #conversations: Conversations;
  readonly #running = signal<ReadonlyMap<string, RunningAnswer>>(new Map());
  /** Running answers by their conversation's id. */
  readonly running: ReadonlySignal<ReadonlyMap<string, RunningAnswer>> = this.#running;

  constructor(
    api: ApiAccess,
    shelf: ModelShelf,
    listed: ListedModels,
    conversations: Conversations,
  ) {
    this.#api = api;
    this.#shelf = shelf;
    this.#listed = listed;
    this.#conversations = conversations;
    // An answer that has been deleted, here or in another tab, is not written on.
    effect(() => {
      for (const [id, answer] of this.#running.value) {
        if (!this.#find(id, answer.turn)) answer.stop();
      }
    });
  }

  /** Adds a question after the last shown turn, or after `parent`, and answers it. */
  async ask(
    conversation: Conversation,
    { text, attachments = [] }: Pick<Turn, 'text' | 'attachments'>,
    parent = conversation.last,
  ): Promise<void> {
    if (this.#running.value.has(conversation.id)) return;
    const asked = { text, ...(attachments.length > 0 && { attachments }) };
    const question: Turn = { id: crypto.randomUUID(), parent, role: 'user', ...asked };
    await this.#answer(withTurn(conversation, question), false);
  }

  /** Adds the results of the functions that the last answer calls, and asks for the next answer. */
  async giveResults(conversation: Conversation, results: readonly ToolResult[]): Promise<void> {
    const { id, last } = conversation;
    if (this.#running.value.has(id)) return;
    const turn: Turn = { id: crypto.randomUUID(), parent: last, role: 'tool', text: '', results };
    await this.#answer(withTurn(conversation, turn), false);
  }

  /** Answers the question of this answer again. Replaces the answer if it has no text and no tool calls. */
  async askAgain(conversation: Conversation, answer: Turn): Promise<void> {
    if (this.#running.value.has(conversation.id)) return;
    const isEmpty = answer.text === '' && !answer.toolCalls;
    const turns = isEmpty
      ? conversation.turns.filter(({ id }) => id !== answer.id)
      : conversation.turns;
    await this.#answer({ ...conversation, turns, last: answer.parent }, !isEmpty);
  }

  /** Continues the last shown answer, whose end is missing. */
  async goOn(conversation: Conversation, answer: Turn): Promise<void> {
    if (this.#running.value.has(conversation.id)) return;
    await this.#answer(conversation, false, answer);
  }

  stop(id: string): void {
    this.#running.value.get(id)?.stop();
  }

  /** @param begun - the last turn, which is continued; undefined: the answer is a new turn */
  async #answer(asked: Conversation, again: boolean, begun?: Turn): Promise<void> {
    const { id, last } = asked;
    const running = new RunningAnswer(this.#shelf.selected.value, begun);
    const parent = begun ? begun.parent : last;
    const turn: Turn = { id: running.turn, parent, role: 'assistant', text: '' };
    const soFar = () => running.writtenInto({ ...turn, progress: 'writing' });
    const saving = this.#conversations.save(withTurn(asked, soFar()));
    this.#setRunning(id, running);
    await saving;
    await saveWhileWriting(turn.id, {
      soFar,
      write: () => this.#finished(asked, again, running, turn),
      save: (answer) => this.#save(id, answer),
    });
    this.#setRunning(id, null);
  }

  /** Writes the answer to its end, which may be a failure. */
  async #finished(
    asked: Conversation,
    again: boolean,
    running: RunningAnswer,
    turn: Turn,
  ): Promise<Turn> {
    const notes: string[] = [];
    let failure: Turn['failure'];
    let wasStopped = false;
    let hasLooped = false;
    try {
      hasLooped = await this.#run(asked, again, running, notes);
    } catch (error) {
      wasStopped = running.signal.aborted;
      if (wasStopped) notes.push(texts.value.chat.notes.stopped);
      else failure = await this.#explained(error, asked);
    }
    running.end(wasStopped);
    const isUnfinished = wasStopped || failure || notes.includes(texts.value.chat.notes.cutOff);
    return {
      ...running.writtenInto(turn),
      notes,
      ...(failure && { failure }),
      ...(isUnfinished && { progress: 'unfinished' }),
      ...(hasLooped && { progress: 'looped' }),
    };
  }

  /** An answer of a conversation; undefined: it or its conversation has been deleted. */
  #find(id: string, answer: string): Turn | undefined {
    return this.#conversations.find(id)?.turns.find((turn) => turn.id === answer);
  }

  /** Saves an answer, unless it has not changed, or has been deleted meanwhile. */
  async #save(id: string, answer: Turn): Promise<void> {
    const now = this.#conversations.find(id);
    const known = this.#find(id, answer.id);
    if (!now || !known || JSON.stringify(known) === JSON.stringify(answer)) return;
    const next = withTurn(now, answer);
    // Chats that are answered at once would change places in the list with each save.
    const { changedAt } = answer.progress === 'writing' ? now : next;
    await this.#conversations.save({ ...next, changedAt });
  }

  /** Returns whether the answer was ended because it repeats itself. */
  async #run(
    asked: Conversation,
    again: boolean,
    running: RunningAnswer,
    notes: string[],
  ): Promise<boolean> {
    const { settings } = asked;
    const { model } = running;
    const turns = shownTurns(asked);
    const sees = this.#listed.seeing.value.has(model);
    const all = this.#messagesOf(asked, model);
    const messages = settings.dropsOldest ? await this.#fitting(model, all, running.signal) : all;
    const isPlain = this.#shelf.isOfBrowser(model) || this.#listed.elsewhere.value.has(model);
    const { samplingOf } = await import('../../models/best/curated.ts');
    const sampling = samplingOf(model);
    const question = { model, messages, settings, sampling, again, isPlain };
    const clock = new AnswerClock(performance.now());
    const guard = new LoopGuard();
    let hasLooped = false;
    for await (const event of streamAnswer(this.#api, question, running.signal)) {
      note(event, running, clock, notes);
      hasLooped = 'text' in event && guard.add(event.text);
      // Leaving the stream ends the request.
      if (hasLooped) break;
    }
    const text = texts.value.chat.notes;
    if (!sees && turns.some(hasImages)) notes.push(text.blind);
    if (messages.length < all.length) {
      notes.push(fill(text.shortened, { count: formatNumber(all.length - messages.length) }));
    }
    return hasLooped;
  }

  #messagesOf(asked: Conversation, model: string): Message[] {
    const sees = this.#listed.seeing.value.has(model);
    return messagesOf(shownTurns(asked), asked.settings, sees);
  }

  async #explained(error: unknown, asked: Conversation): Promise<Failure> {
    const failure = describeFailure(error);
    if (failure.code !== 'context_length_exceeded') return failure;
    const model = this.#shelf.selected.value;
    const messages = this.#messagesOf(asked, model);
    const context = failure.overflow?.context ?? this.contextOf(model);
    try {
      return { ...failure, tooLong: await tooLongPart(this.#api, { model, messages }, context) };
    } catch {
      // The first error says enough.
      return failure;
    }
  }

  /** Tokens that a model of this device holds; undefined: unknown. */
  contextOf(model: string): number | undefined {
    // An upstream's context may have another length than this device's.
    if (this.#listed.elsewhere.value.has(model)) return undefined;
    return this.#shelf.models.value.find(({ id }) => id === model)?.contextLength;
  }

  /** Drops the oldest messages until there is room for an answer, but keeps the last question. */
  async #fitting(model: string, all: Message[], abort: AbortSignal): Promise<Message[]> {
    const context = this.contextOf(model);
    if (context === undefined) return all;
    let messages = all;
    for (;;) {
      const asked = { model, messages };
      const count = await countOrTooMany(() => countTokens(this.#api, asked, abort));
      if (count <= context * (1 - ANSWER_SHARE)) return messages;
      const fewer = withoutOldest(messages);
      if (!fewer) return messages;
      messages = fewer;
    }
  }

  #setRunning(id: string, running: RunningAnswer | null): void {
    const next = new Map(this.#running.value);
    if (running) next.set(id, running);
    else next.delete(id);
    this.#running.value = next;
  }
}

function hasImages({ attachments = [] }: Turn): boolean {
  return attachments.some(({ kind }) => kind === 'image');
}

function note(
  event: AnswerEvent,
  running: RunningAnswer,
  clock: AnswerClock,
  notes: string[],
): void {
  switch (event.type) {
    case 'usage':
      running.figures = figuresOf(event.usage, clock);
      break;
    case 'finish':
      if (event.reason === 'length') notes.push(texts.value.chat.notes.cutOff);
      break;
    case 'served':
      running.servedBy.value = event.by;
      break;
    case 'queued':
      running.wait(event.before);
      break;
    case 'reading':
      running.read(event.fraction);
      break;
    case 'tool':
      clock.recordPiece(performance.now());
      running.call(event);
      break;
    default:
      clock.recordPiece(performance.now());
      running.append(event);
  }
}
