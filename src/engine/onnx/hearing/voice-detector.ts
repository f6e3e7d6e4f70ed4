import { newTurn } from '../../scheduling/turn.ts';
import { VOICE_RATE, VOICE_SAMPLES, type VoiceGraph } from '../transformers/voice-graph.ts';
import { soundStart } from './silence.ts';

/**
 * From this probability on, a part may be speech. A lower limit skips less noise (18 of 20 stretches with 0.1), and a
 * higher one might skip a soft voice.
 */
const SPEECH = 0.2;
/** How many parts before the first sound the detector begins to listen. */
const PARTS_BEFORE = 4;
/** How much sound is kept before speech, seconds. */
const LEAD_SECONDS = 0.5;
/** The least that is skipped, seconds. Less is not worth a turn of its own: it is heard with the sound after it. */
const LEAST_SKIPPED = 1;
/** After this many parts, each of 32 ms, messages are handled. */
const PARTS_A_TURN = 64;

type Voice = Pick<VoiceGraph, 'listen'>;

/** Finds where speech begins. */
export class VoiceDetector {
  readonly #load: () => Promise<Voice>;
  readonly #turn = newTurn();
  /** Resolves to undefined if the site has no detector. */
  #graph: Promise<Voice | undefined> | undefined;

  /** @param load - called with the first sound */
  constructor(load: () => Promise<Voice>) {
    this.#load = load;
  }

  /**
   * How much of the beginning of a window can be skipped, because it is not speech. Without a detector, only silence is
   * skipped.
   *
   * @returns samples; all of them if nobody speaks
   */
  async skippable(samples: Float32Array, sampleRate: number, signal: AbortSignal): Promise<number> {
    const start = await this.#speechStart(samples, sampleRate, signal);
    return start === samples.length || start >= LEAST_SKIPPED * sampleRate ? start : 0;
  }

  async #speechStart(
    samples: Float32Array,
    sampleRate: number,
    signal: AbortSignal,
  ): Promise<number> {
    const sound = soundStart(samples, sampleRate);
    if (sound === samples.length) return sound;
    if (sampleRate !== VOICE_RATE) return before(sound, sampleRate);
    // A site may lack the file: a recording can be read without it.
    this.#graph ??= this.#load().catch(() => undefined);
    const graph = await this.#graph;
    const voice = graph ? await this.#find(graph, samples, sound, signal) : sound;
    return voice === samples.length ? voice : before(voice, sampleRate);
  }

  /** @param sound - where the first sound begins. @returns where speech begins; the end if nobody speaks */
  async #find(
    graph: Voice,
    samples: Float32Array,
    sound: number,
    signal: AbortSignal,
  ): Promise<number> {
    const probability = graph.listen();
    const from = Math.max(0, sound - PARTS_BEFORE * VOICE_SAMPLES);
    for (let at = from, parts = 1; at < samples.length; at += VOICE_SAMPLES, parts++) {
      if ((await probability(samples.subarray(at, at + VOICE_SAMPLES))) >= SPEECH) {
        return Math.max(sound, at);
      }
      if (parts % PARTS_A_TURN === 0) await this.#turn();
      signal.throwIfAborted();
    }
    return samples.length;
  }
}

/** The place from which on speech is heard, a little before it begins. */
function before(speech: number, sampleRate: number): number {
  return Math.max(0, speech - Math.round(LEAD_SECONDS * sampleRate));
}
