import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import { voiceNamed, type Speech, type Voice } from '../../src/core/catalog/speech.ts';
import type { AudioFormat, SpeakJob } from '../../src/core/operations/jobs/jobs.ts';
import type { SpeechRequest } from './speech-request.ts';

const FORMATS: readonly AudioFormat[] = ['wav', 'mp3', 'pcm', 'opus', 'aac', 'flac'];

/**
 * A validated speech request as the engine's job.
 *
 * @throws ApiError 400 for what this server cannot honour, and for voices and languages the model lacks
 */
export function speechJob(request: SpeechRequest, speech: Speech): SpeakJob {
  refuseUnsupported(request);
  const voice = findVoice(request, speech);
  return {
    op: 'speak',
    model: request.model,
    text: request.input,
    voice: voice.id,
    language: language(request.lang_code, voice),
    speed: request.speed ?? 1,
    format: audioFormat(request.response_format),
  };
}

function refuseUnsupported({ instructions, stream_format }: SpeechRequest): void {
  if ((instructions ?? '') !== '') {
    throw unsupportedValue("'instructions' is not supported.", 'instructions');
  }
  if (!['audio', 'sse'].includes(stream_format ?? 'audio')) {
    throw unsupportedValue("'stream_format' must be audio or sse.", 'stream_format');
  }
}

function audioFormat(asked: string | null | undefined): AudioFormat {
  const format = FORMATS.find((known) => known === (asked ?? 'wav'));
  if (format) return format;
  throw unsupportedValue(
    `'response_format' must be one of ${FORMATS.join(', ')}.`,
    'response_format',
  );
}

function findVoice(request: SpeechRequest, speech: Speech): Voice {
  const voice = voiceNamed(speech, request.voice);
  if (voice) return voice;
  const known = speech.voices.map(({ id }) => id).join(', ');
  throw invalidRequest(`'voice' must be a voice of '${request.model}': ${known}.`, 'voice');
}

/** The voice's language that was asked for; if none was, the voice's first. */
function language(asked: string | null | undefined, voice: Voice): string {
  const [own = ''] = voice.languages;
  if (asked == null) return own;
  const wanted = locale(asked);
  const found = voice.languages.find((tag) => fits(wanted, new Intl.Locale(tag)));
  if (found !== undefined) return found;
  throw invalidRequest(
    `'lang_code' is '${asked}', but the voice '${voice.id}' speaks ${voice.languages.join(', ')}.`,
    'lang_code',
  );
}

function locale(tag: string): Intl.Locale {
  try {
    // Many programs write `en_us`.
    return new Intl.Locale(tag.replaceAll('_', '-'));
  } catch {
    throw invalidRequest("'lang_code' must be a BCP-47 language tag, e.g. en-US.", 'lang_code');
  }
}

/** A missing subtag matches anything. */
function fits(a: Intl.Locale, b: Intl.Locale): boolean {
  const agree = (one?: string, other?: string) =>
    one === undefined || other === undefined || one === other;
  return a.language === b.language && agree(a.script, b.script) && agree(a.region, b.region);
}
