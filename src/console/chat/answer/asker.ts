import { fill } from '../../messages/fill.ts';
import { messages as texts } from '../../messages/messages.ts';
import { listedSampling } from '../../models/best/sampling.ts';
import type { ListedModels } from '../../models/listed-models.ts';
import type { ModelShelf } from '../../models/model-shelf.ts';
import { formatNumber } from '../../ui/format.ts';
import { fetched } from '../../ui/fetched.ts';
import { storesOf, type FileAttachment } from '../attachments/attachment.ts';
import {
  messagesOf,
  shownTurns,
  withoutOldest,
  type Conversation,
  type Message,
  type Turn,
} from '../conversation/conversation.ts';
import { AnswerClock, figuresOf } from './answer-stats.ts';
import { countTokens, streamAnswer, type AnswerEvent } from './api-client.ts';
import { describeFailure, type Failure } from './api-failure.ts';
import type { ApiAccess } from './api-request.ts';
import { LoopGuard } from './loop-guard.ts';
import type { RunningAnswer } from './running-answer.ts';
import { countOrTooMany, tooLongPart } from './too-long.ts';

/** Share of the context that stays free for the answer if old turns are left out. */
const ANSWER_SHARE = 0.25;

/** How an answer is made. */
export interface Making {
  /** Id of the model. */
  model: string;
  /** Whether the user has seen an answer and wants a different one. */
  again?: boolean;
  /** The last turn, which is continued; undefined: the answer is a new turn. */
  begun?: Turn;
  /** Id of the answer that it stands beside; undefined: it is shown in its own place. */
  beside?: string;
}

/** Asks the API, and notes what it answers. */
export class Asker {
  readonly #api: ApiAccess;
  readonly #shelf: ModelShelf;
  readonly #listed: ListedModels;
  readonly #onSent: (bytes: number) => void;

  /** @param onSent - called with the bytes that a call of a server's tool sends it */
  constructor(
    api: ApiAccess,
    shelf: ModelShelf,
    listed: ListedModels,
    onSent: (bytes: number) => void,
  ) {
    this.#api = api;
    this.#shelf = shelf;
    this.#listed = listed;
    this.#onSent = onSent;
  }

  /** Asks, and writes what comes. Returns whether the answer was ended because it repeats itself. */
  async write(
    asked: Conversation,
    { again = false, begun }: Making,
    running: RunningAnswer,
    notes: string[],
  ): Promise<boolean> {
    const { settings } = asked;
    const { model, signal: abort } = running;
    const turns = shownTurns(asked);
    const sees = this.#listed.seeing.value.has(model);
    const isPlain = this.#shelf.isOfBrowser(model) || this.#listed.elsewhere.value.has(model);
    const stores = storesOf(turns);
    const wantsHelp = stores.length > 0 || (settings.servers ?? []).length > 0;
    const isHelped = wantsHelp && !isPlain && !begun;
    const all = await this.#messagesOf(asked, model, begun);
    const isShortened = settings.dropsOldest && !isHelped;
    const messages = isShortened ? await this.#fitting(model, all, abort) : all;
    const sampling = await listedSampling(model);
    const question = { model, settings, sampling, again, isPlain };
    const events = isHelped
      ? (await fetched(import('./helped-answer.ts'))).helpedAnswer(
          this.#api,
          { ...question, turns, sees, stores },
          abort,
        )
      : streamAnswer(this.#api, { ...question, messages }, abort);
    const clock = new AnswerClock(performance.now());
    const guard = new LoopGuard();
    let hasLooped = false;
    for await (const event of events) {
      note(event, running, clock, notes);
      if (event.type === 'step' && event.step.type === 'call') {
        this.#onSent(new Blob([event.step.arguments]).size);
      }
      hasLooped = 'text' in event && guard.add(event.text);
      // Leaving the stream ends the request.
      if (hasLooped) break;
    }
    const text = texts.value.chat.notes;
    if (!sees && turns.some(hasImages)) notes.push(text.blind);
    if (wantsHelp && isPlain) notes.push(text.unhelped);
    if (messages.length < all.length) {
      notes.push(fill(text.shortened, { count: formatNumber(all.length - messages.length) }));
    }
    return hasLooped;
  }

  async #messagesOf(asked: Conversation, model: string, begun?: Turn): Promise<Message[]> {
    const sees = this.#listed.seeing.value.has(model);
    const turns = begun ? withPassages(shownTurns(asked), begun) : shownTurns(asked);
    const hasCalled = turns.some(({ steps, decisions }) => steps ?? decisions);
    const plain = hasCalled
      ? (await fetched(import('../servers/calls-as-functions.ts'))).callsAsFunctions(turns)
      : turns;
    return messagesOf(plain, asked.settings, sees);
  }

  /** What an error means for the user. */
  async explain(error: unknown, asked: Conversation, model: string): Promise<Failure> {
    const failure = describeFailure(error);
    const turns = shownTurns(asked);
    const stores = storesOf(turns);
    if (stores.length > 0) {
      // If its code cannot be fetched, the error says enough.
      const found = await import('../library/gone-files.ts').catch(() => undefined);
      const gone = found?.goneFiles(error, turns, stores);
      if (gone) return { ...failure, gone };
    }
    if (failure.code !== 'context_length_exceeded') return failure;
    const context = failure.overflow?.context ?? this.#listed.contextOf(model);
    try {
      const messages = await this.#messagesOf(asked, model);
      return { ...failure, tooLong: await tooLongPart(this.#api, { model, messages }, context) };
    } catch {
      // The first error says enough.
      return failure;
    }
  }

  /** Drops the oldest messages until there is room for an answer, but keeps the last question. */
  async #fitting(model: string, all: Message[], abort: AbortSignal): Promise<Message[]> {
    const context = this.#listed.contextOf(model);
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
}

/** The turns with the passages that were found for an answer as files of its question. */
function withPassages(turns: readonly Turn[], { parent, sources = [] }: Turn): Turn[] {
  const passages = sources.map(({ file: name, text }, at): FileAttachment => {
    return { kind: 'file', id: `${at}`, name, text };
  });
  return turns.map((turn) =>
    turn.id === parent && passages.length > 0
      ? { ...turn, attachments: [...(turn.attachments ?? []), ...passages] }
      : turn,
  );
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
    case 'found':
      running.sources.value = [...running.sources.value, ...event.sources];
      break;
    case 'cited':
      running.cite(event.citation);
      break;
    case 'step':
      running.steps.value = [...running.steps.value, event.step];
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
