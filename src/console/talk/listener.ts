import { openMicrophone, Recording } from '../dictation/microphone.ts';
import { VoiceActivity } from './voice-activity.ts';

/** How often it listens, milliseconds. */
const LISTEN_MS = 50;
/** After this long without speech, a new recording begins, milliseconds. */
const MOST_SILENCE_MS = 8_000;

interface Heard {
  /** Called when somebody begins to speak. */
  onBegun: () => void;
  /** Gets the recording of what was said, with the silence around it. */
  onEnded: (recording: Blob) => void;
}

/** Listens to the microphone until it is closed. */
export class Listener {
  readonly #stream: MediaStream;
  readonly #context = new AudioContext();
  readonly #timer: ReturnType<typeof setInterval>;
  #recording: Recording;

  private constructor(stream: MediaStream, { onBegun, onEnded }: Heard) {
    this.#stream = stream;
    this.#recording = new Recording(stream);
    const analyser = this.#context.createAnalyser();
    this.#context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const activity = new VoiceActivity();
    let silentMs = 0;
    let isSpeaking = false;
    this.#timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const change = activity.hear(loudnessOf(samples), LISTEN_MS);
      if (change === 'begun') onBegun();
      if (change === 'ended') void this.#restart().then(onEnded);
      if (change) isSpeaking = change === 'begun';
      silentMs = isSpeaking || change ? 0 : silentMs + LISTEN_MS;
      if (silentMs < MOST_SILENCE_MS) return;
      silentMs = 0;
      void this.#restart();
    }, LISTEN_MS);
  }

  /**
   * Opens the microphone. The browser may ask the user for permission.
   *
   * @throws Error with a message for the user
   */
  static async open(heard: Heard): Promise<Listener> {
    // Without this, it would hear its own answers.
    return new Listener(await openMicrophone({ echoCancellation: true }), heard);
  }

  close(): void {
    clearInterval(this.#timer);
    void this.#context.close();
    void this.#recording.end();
    for (const track of this.#stream.getTracks()) track.stop();
  }

  /** Begins a new recording. Returns the one before. */
  async #restart(): Promise<Blob> {
    const before = this.#recording;
    this.#recording = new Recording(this.#stream);
    return before.end();
  }
}

function loudnessOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}
