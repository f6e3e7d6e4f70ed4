import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Session } from '../app/session.ts';
import { describeFailure } from '../chat/answer/api-failure.ts';
import { takeSentences } from '../chat/answer/sentences.ts';
import type { Conversation } from '../chat/conversation/conversation.ts';
import { transcribed } from '../dictation/dictation.ts';
import type { Speaker } from '../speech/speakers.ts';
import { SentenceSpeaker } from '../speech/sentence-speaker.ts';
import { spokenText } from '../speech/spoken-text.ts';
import { Listener } from './listener.ts';

export type TalkState = 'asking' | 'listening' | 'hearing' | 'thinking' | 'speaking';

interface TalkParts {
  session: Session;
  conversation: Conversation;
  /** Id of the transcription model. */
  transcriber: string;
  speaker: Speaker;
}

/**
 * Talks with the user without hands: hears a question, asks it in the chat, and says the answer while it is written.
 * Whoever begins to speak interrupts it.
 */
export class Talk {
  readonly #parts: TalkParts;
  readonly #speaker: SentenceSpeaker;
  readonly #state = signal<TalkState>('asking');
  readonly #failure = signal('');
  readonly state: ReadonlySignal<TalkState> = this.#state;
  /** What went wrong, for the user; empty: nothing. */
  readonly failure: ReadonlySignal<string> = this.#failure;
  readonly #ending = new AbortController();
  #listener: Listener | undefined;
  /** Ends what is done about the last question. */
  #turn = new AbortController();

  constructor(parts: TalkParts) {
    this.#parts = parts;
    const { v1 } = parts.session;
    this.#speaker = new SentenceSpeaker(
      v1,
      parts.speaker,
      new Audio(),
      (why) => (this.#failure.value = why),
    );
  }

  async start(): Promise<void> {
    try {
      const listener = await Listener.open({
        onBegun: () => this.#interrupt(),
        onEnded: (recording) => void this.#answer(recording),
      });
      // The user may have ended it while the browser asked for the microphone.
      if (this.#ending.signal.aborted) return listener.close();
      this.#listener = listener;
      this.#state.value = 'listening';
    } catch (error) {
      this.#failure.value = describeFailure(error).message;
    }
  }

  end(): void {
    this.#ending.abort();
    this.#listener?.close();
    this.#stopTurn();
  }

  #interrupt(): void {
    this.#stopTurn();
    this.#failure.value = '';
    this.#state.value = 'hearing';
  }

  #stopTurn(): void {
    this.#turn.abort();
    this.#speaker.stop();
    this.#parts.session.answerer.stop(this.#parts.conversation.id);
  }

  async #answer(recording: Blob): Promise<void> {
    this.#turn = new AbortController();
    const { signal: ending } = this.#turn;
    this.#state.value = 'thinking';
    try {
      const question = await this.#written(recording, ending);
      if (question !== '') await this.#ask(question, ending);
    } catch (error) {
      if (!ending.aborted) this.#failure.value = describeFailure(error).message;
    }
    if (!ending.aborted) this.#state.value = 'listening';
  }

  async #written(recording: Blob, ending: AbortSignal): Promise<string> {
    const { session, transcriber } = this.#parts;
    let text = '';
    for await (const piece of transcribed(session.api, transcriber, recording, ending)) {
      text += piece;
    }
    return text.trim();
  }

  async #ask(question: string, ending: AbortSignal): Promise<void> {
    const { answerer, conversations } = this.#parts.session;
    const { conversation } = this.#parts;
    const { id } = conversation;
    let said = 0;
    const say = (text: string, isWhole: boolean) => {
      const unsaid = text.slice(said);
      const { rest } = takeSentences(unsaid);
      const next = isWhole ? unsaid : unsaid.slice(0, unsaid.length - rest.length);
      if (next.trim() === '' || ending.aborted) return;
      said += next.length;
      this.#state.value = 'speaking';
      this.#speaker.say(spokenText(next));
    };
    const stopWatching = effect(() => {
      const running = answerer.running.value.get(id);
      if (running) say(running.text.value, false);
    });
    try {
      await answerer.ask(conversations.find(id) ?? conversation, { text: question });
    } finally {
      stopWatching();
    }
    const { turns = [], last } = conversations.find(id) ?? {};
    const answer = turns.find((turn) => turn.id === last);
    if (answer?.failure) this.#failure.value = answer.failure.message;
    else if (answer) say(answer.text, true);
    await this.#speaker.silence;
  }
}
