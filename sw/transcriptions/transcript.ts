import { languageName } from '../../src/core/files/hearing/languages.ts';
import type { HeardSegment, TranscribeEvent } from '../../src/core/operations/events/events.ts';

/** The text of a recording as far as it has been read, with its segments and token counts. */
export class Transcript {
  readonly segments: HeardSegment[] = [];
  /** ISO 639-1. */
  language: string | undefined;
  /** Length of the recording. */
  seconds = 0;
  readTokens = 0;
  writtenTokens = 0;
  #text = '';

  /** The text, without the space that the model writes before it. */
  get text(): string {
    return this.#text;
  }

  /** @returns the text that is new */
  take(event: TranscribeEvent): string {
    if (event.type === 'transcribed') {
      this.seconds = event.seconds;
      return '';
    }
    this.segments.push(...event.segments);
    this.language ??= event.language;
    this.readTokens += event.tokens?.read ?? 0;
    this.writtenTokens += event.tokens?.written ?? 0;
    const added = event.segments.map(({ text }) => text).join('');
    const delta = this.#text === '' ? added.trimStart() : added;
    this.#text += delta;
    return delta;
  }
}

/** `00:01:02.345` */
function clock(seconds: number, point: string): string {
  const ms = Math.round(seconds * 1000);
  const [whole, rest] = [Math.floor(ms / 1000), ms % 1000];
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const digits = parts.map((part) => String(part).padStart(2, '0'));
  return `${digits.join(':')}${point}${String(rest).padStart(3, '0')}`;
}

/** SubRip. */
export function srt({ segments }: Transcript): string {
  return segments
    .map(({ start, end, text }, index) => {
      const times = `${clock(start, ',')} --> ${clock(end, ',')}`;
      return `${index + 1}\n${times}\n${lines(text)}\n\n`;
    })
    .join('');
}

/** WebVTT. */
export function vtt({ segments }: Transcript): string {
  const cues = segments.map(({ start, end, text }) => {
    // An arrow would begin another cue, and these characters are markup.
    const plain = lines(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;');
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${plain}\n\n`;
  });
  return `WEBVTT\n\n${cues.join('')}`;
}

/** An empty line would end the cue. */
function lines(text: string): string {
  return text.trim().replaceAll(/\n\s*\n/g, '\n');
}

/** What is billed where no tokens are counted: whole seconds of the recording. */
export function durationUsage({ seconds }: Transcript): object {
  return { type: 'duration', seconds: Math.ceil(seconds) };
}

/** Frames of Whisper's spectrogram in a second: `seek` counts them. */
const FRAMES = 100;

/** The answer in the format `verbose_json`. */
export function verbose(
  transcript: Transcript,
  task: 'transcribe' | 'translate',
  granularities: readonly string[],
): object {
  const { segments, seconds, text, language } = transcript;
  const withWords = granularities.includes('word');
  return {
    task,
    // The language of a silent recording is not known.
    language: language === undefined ? '' : languageName(language),
    duration: seconds,
    text,
    // Words alone, if only they are asked for.
    ...((granularities.includes('segment') || !withWords) && {
      segments: segments.map((segment, id) => ({
        id,
        seek: Math.round(segment.window * FRAMES),
        start: segment.start,
        end: segment.end,
        text: segment.text,
        tokens: segment.tokens,
        temperature: segment.temperature,
        avg_logprob: segment.averageLogprob,
        compression_ratio: segment.compressionRatio,
        no_speech_prob: segment.noSpeech,
      })),
    }),
    ...(withWords && { words: segments.flatMap(({ words = [] }) => words) }),
    usage: durationUsage(transcript),
  };
}
