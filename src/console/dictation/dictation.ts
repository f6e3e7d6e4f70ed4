import { signal, type ReadonlySignal } from '@preact/signals';
import { chunksOf, post, type ApiAccess } from '../chat/answer/api-request.ts';
import { describeFailure } from '../chat/answer/api-failure.ts';
import { member } from '../json.ts';
import { messages } from '../messages/messages.ts';
import { record, type Recording } from './microphone.ts';

export type DictationState =
  | { name: 'idle' }
  /** The browser asks the user for the microphone. */
  | { name: 'asking' }
  | { name: 'recording'; seconds: number }
  | { name: 'writing' }
  /** `reason`: for the user. */
  | { name: 'failed'; reason: string };

/** Transcribes what the user says. */
export class Dictation {
  readonly #api: ApiAccess;
  readonly #state = signal<DictationState>({ name: 'idle' });
  #recording: Recording | undefined;
  #ending = new AbortController();
  readonly state: ReadonlySignal<DictationState> = this.#state;

  constructor(api: ApiAccess) {
    this.#api = api;
  }

  async start(): Promise<void> {
    this.#ending = new AbortController();
    const { signal: ending } = this.#ending;
    this.#state.value = { name: 'asking' };
    try {
      const onSecond = (seconds: number) => {
        if (this.#state.value.name === 'recording')
          this.#state.value = { name: 'recording', seconds };
      };
      const recording = await record(onSecond);
      // The user may have left the page while the browser asked.
      if (ending.aborted) return void (await recording.stop());
      this.#recording = recording;
      this.#state.value = { name: 'recording', seconds: 0 };
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Ends the recording and transcribes it.
   *
   * @param onText - gets the text piece by piece, as it is transcribed, with the spaces before words
   */
  async finish(model: string, onText: (piece: string) => void): Promise<void> {
    const recording = this.#recording;
    if (!recording) return;
    this.#recording = undefined;
    this.#state.value = { name: 'writing' };
    const { signal: ending } = this.#ending;
    try {
      let text = '';
      for await (const piece of transcribed(this.#api, model, await recording.stop(), ending)) {
        if (ending.aborted) return;
        onText(text === '' ? ` ${piece}` : piece);
        text += piece;
      }
      const isSilent = text.trim() === '';
      this.#state.value = isSilent
        ? { name: 'failed', reason: messages.value.dictation.silent }
        : { name: 'idle' };
    } catch (error) {
      if (!ending.aborted) this.#fail(error);
    }
  }

  /** Frees the microphone, and discards the recording. */
  cancel(): void {
    this.#ending.abort();
    void this.#recording?.stop();
    this.#recording = undefined;
    this.#state.value = { name: 'idle' };
  }

  #fail(error: unknown): void {
    this.#state.value = { name: 'failed', reason: describeFailure(error).message };
  }
}

/** The text of a recording, piece by piece. Throws a RequestError, what `fetch` throws, and the signal's reason. */
export async function* transcribed(
  api: ApiAccess,
  model: string,
  recording: Blob,
  ending: AbortSignal,
): AsyncGenerator<string> {
  const form = new FormData();
  form.append('file', recording, 'recording');
  form.append('model', model);
  form.append('stream', 'true');
  for await (const event of chunksOf(await post(api, '/audio/transcriptions', form, ending))) {
    const delta = member(event, 'delta');
    if (member(event, 'type') === 'transcript.text.delta' && typeof delta === 'string') yield delta;
    if (member(event, 'type') === 'transcript.text.done') return;
  }
}
