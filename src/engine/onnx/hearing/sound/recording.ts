import { joinedSamples } from '../../../../core/joined.ts';
import {
  AudioSampleSink,
  BlobSource,
  EncodedPacketSink,
  Input,
  type AudioSample,
} from 'mediabunny';
import { jobFault } from '../../../../core/errors/errors.ts';
import type { Link } from './links/link.ts';
import { FORMATS, linksOf } from './links/links.ts';
import { otherFormat } from './other-formats.ts';
import { resampled, type Sound } from './resampled.ts';
import { openWave, waveSounds } from './wave-file.ts';
import { messageOf } from '../../../../core/text/message-of.ts';

/** Decodes a recording from a place on, as samples of one channel at the wanted rate. */
type Decode = (seconds: number) => AsyncIterable<Float32Array<ArrayBuffer>>;

/**
 * A recording that is decoded while it is read, in order, so that its length does not matter. Reads WAV and every format
 * that mediabunny and the browser's decoders can read.
 */
export class Recording {
  readonly #decode: Decode;
  readonly #sampleRate: number;
  #pieces: AsyncIterator<Float32Array<ArrayBuffer>> | undefined;
  /** Samples that were decoded, and the place of the first of them. */
  #held = new Float32Array();
  #at = 0;

  /** @param decode - gives nothing beyond the end */
  constructor(decode: Decode, sampleRate: number) {
    this.#decode = decode;
    this.#sampleRate = sampleRate;
  }

  /**
   * @param sampleRate - wanted, hertz
   * @throws ApiError 400 if the file is not a recording, or this browser cannot decode it
   */
  static async open(file: Blob, sampleRate: number): Promise<Recording> {
    if (file.size === 0) throw fault('is an empty file.');
    const wave = await openWave(file);
    if (wave) {
      return new Recording(
        (from) => resampled(waveSounds(wave, from), from, sampleRate),
        sampleRate,
      );
    }
    const links = linksOf(file);
    const first = await links.next();
    if (first.done === true) return silent();
    const second = await links.next();
    const sink = (await openLink(first.value)) ?? silent();
    await links.return();
    return new Recording((from) => {
      // If there are several links, only the first one's place in the recording is known.
      const sounds = second.done === true ? decoded(sink, from) : decodedLinks(file);
      return resampled(sounds, from, sampleRate);
    }, sampleRate);
  }

  /**
   * Reads samples; fewer than `count` at the end of the recording. Reading in order is fast.
   *
   * @param from - samples from the beginning
   */
  async read(from: number, count: number): Promise<Float32Array<ArrayBuffer>> {
    if (!this.#pieces || from < this.#at) await this.#seek(from);
    const held = [this.#held.subarray(Math.min(this.#held.length, from - this.#at))];
    let length = held[0]?.length ?? 0;
    let skipped = Math.max(0, from - this.#at - this.#held.length);
    while (length < count) {
      const next = await this.#pieces?.next();
      if (!next || next.done === true) break;
      const { value } = next;
      const kept = value.subarray(Math.min(skipped, value.length));
      skipped -= value.length - kept.length;
      held.push(kept);
      length += kept.length;
    }
    this.#held = joinedSamples(held);
    this.#at = from;
    return this.#held.slice(0, count);
  }

  async close(): Promise<void> {
    await this.#pieces?.return?.();
    this.#pieces = undefined;
  }

  async #seek(from: number): Promise<void> {
    await this.close();
    this.#pieces = this.#decode(from / this.#sampleRate)[Symbol.asyncIterator]();
    this.#held = new Float32Array();
    this.#at = from;
  }
}

/**
 * @returns undefined if it has no sound
 * @throws ApiError 400 if it is no recording, or cannot be decoded
 */
async function openSound(file: Blob): Promise<AudioSampleSink | undefined> {
  const input = new Input({ source: new BlobSource(file), formats: FORMATS });
  // For a file of a few bytes, mediabunny throws.
  const isKnown = await input.canRead().catch(() => false);
  if (!isKnown) {
    const other = await otherFormat(file);
    const known = 'WAV, MP3, MP4, WebM, Ogg and FLAC are read';
    throw fault(
      other === undefined
        ? `is not a recording in a format that is known: ${known}.`
        : `is a file of the format ${other}: ${known}.`,
    );
  }
  const track = await input.getPrimaryAudioTrack().catch(() => undefined);
  if (!track) return undefined;
  if (!(await track.canDecode().catch(() => false))) {
    const codec = track.codec ?? 'unknown';
    throw fault(`is encoded as ${codec}, which this browser cannot decode.`);
  }
  // In a FLAC file without a frame, mediabunny would search for the place of a time forever.
  const first = await new EncodedPacketSink(track).getFirstPacket().catch(() => null);
  return first ? new AudioSampleSink(track) : undefined;
}

function openLink({ file, unread }: Link): Promise<AudioSampleSink | undefined> {
  if (unread === undefined) return openSound(file);
  throw fault(`is encoded as ${unread}, which is not read. Convert it to Opus, Vorbis or FLAC.`);
}

async function* decodedLinks(file: Blob): AsyncGenerator<Sound, void, undefined> {
  for await (const link of linksOf(file)) {
    const sink = await openLink(link);
    // A link that was cut in its header has none.
    if (sink) yield* decoded(sink, 0);
  }
}

function silent(): never {
  throw fault('has no sound.');
}

/** The decoder begins a little earlier than asked. */
async function* decoded(
  sink: AudioSampleSink,
  from: number,
): AsyncGenerator<Sound, void, undefined> {
  try {
    for await (const sample of sink.samples(from)) {
      const sound = { samples: mono(sample), sampleRate: sample.sampleRate, at: sample.timestamp };
      sample.close();
      yield sound;
    }
  } catch (error) {
    // Other errors are mediabunny's, and ask for a report to it.
    const reason = error instanceof DOMException ? messageOf(error) : 'it is damaged.';
    throw fault(`could not be decoded: ${reason}`);
  }
}

/** The mean of all channels. */
function mono(sample: AudioSample): Float32Array<ArrayBuffer> {
  const { numberOfChannels, numberOfFrames } = sample;
  const channel = (planeIndex: number) => {
    const values = new Float32Array(numberOfFrames);
    sample.copyTo(values, { planeIndex, format: 'f32-planar' });
    return values;
  };
  const sum = channel(0);
  if (numberOfChannels === 1) return sum;
  for (let other = 1; other < numberOfChannels; other++) add(channel(other), sum);
  return sum.map((value) => value / numberOfChannels);
}

/** A plain loop: an iterator would take five times as long, which matters for a recording. */
function add(values: Float32Array, to: Float32Array): void {
  for (let index = 0; index < to.length; index++) {
    to[index] = (to[index] ?? 0) + (values[index] ?? 0);
  }
}

function fault(text: string) {
  return jobFault('recording', text);
}
