import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';

/** A recording that is being made. */
export class Recording {
  readonly #stream: MediaStream;
  readonly #recorder: MediaRecorder;
  readonly #parts: Blob[] = [];
  readonly #stopped = Promise.withResolvers<void>();

  /** @param onSecond - called with the number of seconds that have been recorded */
  constructor(stream: MediaStream, onSecond: (seconds: number) => void = () => undefined) {
    this.#stream = stream;
    this.#recorder = new MediaRecorder(stream);
    this.#recorder.addEventListener('stop', () => this.#stopped.resolve());
    this.#recorder.addEventListener('dataavailable', ({ data }) =>
      onSecond(this.#parts.push(data)),
    );
    this.#recorder.start(1_000);
  }

  /** Ends the recording and returns it. The microphone stays open. */
  async end(): Promise<Blob> {
    // If the microphone was unplugged, the recorder has stopped already.
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    await this.#stopped.promise;
    return new Blob(this.#parts, { type: this.#recorder.mimeType });
  }

  /** Ends the recording, returns it, and frees the microphone. */
  async stop(): Promise<Blob> {
    const recording = await this.end();
    for (const track of this.#stream.getTracks()) track.stop();
    return recording;
  }
}

/**
 * Starts to record the microphone. The browser may ask the user for permission.
 *
 * @throws Error with a message for the user
 */
export async function record(onSecond: (seconds: number) => void): Promise<Recording> {
  return new Recording(await openMicrophone(true), onSecond);
}

/**
 * Opens the microphone. The browser may ask the user for permission.
 *
 * @throws Error with a message for the user
 */
export async function openMicrophone(audio: true | MediaTrackConstraints): Promise<MediaStream> {
  // Pages without HTTPS have no `mediaDevices`.
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  if (!devices) throw new Error(messages.value.dictation.noHttps);
  try {
    return await devices.getUserMedia({ audio });
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const text = messages.value.dictation;
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
      return text.notAllowed;
    case 'NotFoundError':
      return text.notFound;
    case 'NotReadableError':
      return text.notReadable;
    default:
      return fill(text.failed, { reason: String(error) });
  }
}
