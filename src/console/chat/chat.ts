import type OpenAI from 'openai';
import { Announcer } from './announcer.ts';
import { AnswerClock, describeAnswer } from './answer-stats.ts';
import { AnswerView, questionView } from './answer-view.ts';
import { streamAnswer, type AnswerEvent, type AnswerPiece, type Message } from './api-client.ts';
import { describeFailure } from './api-failure.ts';
import { el } from '../ui/dom.ts';

export interface ChatContext {
  client: OpenAI;
  /** Id of the model to ask; read again for every question. */
  model: () => string;
  onAnswering: (answering: boolean) => void;
  /** Called when the conversation becomes empty, and when it no longer is. */
  onEmpty: (empty: boolean) => void;
}

/** The conversation. It is kept in memory only and ends with the tab. */
export class Chat {
  readonly element = el('div', { class: 'turns' });
  readonly announcer = new Announcer();
  readonly #context: ChatContext;
  #messages: Message[] = [];
  #running: AbortController | null = null;

  constructor(context: ChatContext) {
    this.#context = context;
  }

  async ask(text: string): Promise<void> {
    if (this.#running) return;
    this.#messages.push({ role: 'user', content: text });
    this.element.append(questionView(text));
    this.#context.onEmpty(false);
    await this.#answer(false);
  }

  stop(): void {
    this.#running?.abort();
  }

  clear(): void {
    this.stop();
    this.#running = null;
    this.#messages = [];
    this.element.replaceChildren();
    this.#context.onAnswering(false);
    this.#context.onEmpty(true);
  }

  async #answer(again: boolean): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#context.onAnswering(true);
    const view = new AnswerView();
    this.element.append(view.element);
    await this.#run(view, again, running.signal);
    // A new chat may have replaced this one in the meantime.
    if (this.#running !== running) return;
    this.#running = null;
    this.#context.onAnswering(false);
  }

  async #run(view: AnswerView, again: boolean, signal: AbortSignal): Promise<void> {
    const messages = this.#messages;
    const question = { model: this.#context.model(), messages: [...messages], again };
    const retry = () => void this.#retry(view, question.messages.length);
    try {
      const events = streamAnswer(this.#context.client, question, signal);
      view.finish(await this.#show(events, view), retry);
    } catch (error) {
      if (signal.aborted) this.#showStopped(view, retry);
      else view.fail(describeFailure(error), retry);
    }
    this.announcer.end();
    if (view.text !== '') messages.push({ role: 'assistant', content: view.text });
  }

  /** Draws the answer as it arrives; returns the notes to show below it. */
  async #show(events: AsyncIterable<AnswerEvent>, view: AnswerView): Promise<string[]> {
    const clock = new AnswerClock(performance.now());
    const notes: string[] = [];
    this.announcer.begin();
    for await (const event of events) {
      if (event.type === 'usage') notes.push(...describeAnswer(event.usage, clock));
      else if (event.type === 'finish') notes.push(...describeFinish(event.reason));
      else this.#draw(event, view, clock);
    }
    return notes;
  }

  #showStopped(view: AnswerView, retry: () => void): void {
    view.finish(['Stopped'], retry);
    this.announcer.append('\nStopped.');
  }

  #draw({ type, text }: AnswerPiece, view: AnswerView, clock: AnswerClock): void {
    clock.recordPiece(performance.now());
    if (type === 'reasoning') return view.appendReasoning(text);
    view.appendText(text);
    this.announcer.append(text);
  }

  /** Asks the same question again. The old answer and everything after it is removed. */
  async #retry(view: AnswerView, questionLength: number): Promise<void> {
    if (this.#running) return;
    this.#messages.length = questionLength;
    while (this.element.lastChild !== view.element) this.element.lastChild?.remove();
    view.element.remove();
    // If the old attempt failed without text, the user has not seen a first answer yet.
    await this.#answer(view.text !== '');
  }
}

function describeFinish(reason: string): string[] {
  return reason === 'length' ? ['Cut off at the length limit'] : [];
}
