import * as v from 'valibot';
import { invalidRequest, unsupportedValue } from '../../../src/core/errors/errors.ts';
import { isServable } from '../../../src/core/catalog/catalog-entry.ts';
import { voiceNamed } from '../../../src/core/catalog/speech.ts';
import type { AudioFormat, SpeakJob } from '../../../src/core/operations/jobs/jobs.ts';
import type { Context } from '../../context.ts';
import { object, optional, text } from '../../http/fields.ts';
import { required } from '../../http/parse-value.ts';
import { clientOf, isAllowed } from '../../model-access.ts';
import { voiceName } from '../../speech/speech-request.ts';

const NAMES = ['wav', 'mp3', 'flac', 'opus', 'aac', 'pcm16'] as const;
/** The formats of spoken answers, as OpenAI names them → as speech jobs do. */
const FORMATS: Record<(typeof NAMES)[number], AudioFormat> = {
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  opus: 'opus',
  aac: 'aac',
  pcm16: 'pcm',
};

/** Hertz: the rate of OpenAI's `pcm16`, whose bytes do not tell it. */
const PCM16_RATE = 24_000;

/** The fields of a chat that ask for a spoken answer. */
export const spokenEntries = {
  modalities: optional(v.array(text, 'must be an array')),
  audio: optional(
    object({
      voice: voiceName,
      format: v.picklist(NAMES, `must be one of ${NAMES.join(', ')}`),
    }),
  ),
};

/** What a spoken answer depends on in its request. */
type SpokenRequest = v.InferOutput<v.ObjectSchema<typeof spokenEntries, undefined>> & {
  n?: number | null | undefined;
  stream?: boolean | null | undefined;
};

/** A voice that speaks answers, and the format that it speaks them in. */
export type AskedSpeech = Omit<SpeakJob, 'text'>;

/**
 * How a request wants its answer to be spoken; undefined: it wants text only.
 *
 * @param hasFormat - whether the answer is to have a format
 * @throws ApiError 400 for what cannot be spoken
 */
export function spokenAudio(
  { modalities, audio, n, stream }: SpokenRequest,
  hasFormat: boolean,
): SpokenRequest['audio'] {
  for (const [index, modality] of (modalities ?? []).entries()) {
    if (modality === 'text' || modality === 'audio') continue;
    throw unsupportedValue("'modalities' may have text and audio.", `modalities[${index}]`);
  }
  if (!modalities?.includes('audio')) {
    if (audio == null) return undefined;
    throw invalidRequest("'audio' needs 'modalities' with audio in them.", 'modalities');
  }
  const { voice, format } = required(audio, 'audio');
  if ((n ?? 1) > 1) throw unsupportedValue("A spoken answer is one: 'n' must be 1.", 'n');
  if (hasFormat) {
    throw unsupportedValue('An answer with a format is not spoken.', 'response_format');
  }
  if (stream && format !== 'pcm16') {
    throw unsupportedValue("A stream is spoken as 'pcm16' only.", 'audio.format');
  }
  return { voice, format };
}

/**
 * The voice of an installed model that is to speak.
 *
 * @throws ApiError 400 if no model that the key can use has this voice
 */
export async function askedSpeech(
  { catalog, key }: Pick<Context, 'catalog' | 'key'>,
  { voice, format }: NonNullable<SpokenRequest['audio']>,
): Promise<AskedSpeech> {
  const all = await catalog.list();
  const speakers = all.filter((entry) => entry.task === 'speech' && isAllowed(key, entry.id));
  const installed = speakers.filter(isServable);
  const usable = installed.length > 0 || !key.autoInstall ? installed : speakers;
  const voices = usable.flatMap((entry) => (entry.task === 'speech' ? [entry] : []));
  for (const { id, speech } of voices) {
    const found = voiceNamed(speech, voice);
    if (!found) continue;
    const [language = ''] = found.languages;
    const raw = format === 'pcm16' && { sampleRate: PCM16_RATE };
    const how = { voice: found.id, language, speed: 1, format: FORMATS[format], ...raw };
    return { op: 'speak', model: id, ...how, ...clientOf(key) };
  }
  if (voices.length === 0) {
    const message = 'Answers can be spoken once a speech model is installed that this key may use.';
    throw unsupportedValue(message, 'audio.voice');
  }
  const known = voices.flatMap(({ speech }) => speech.voices.map(({ id }) => id)).join(', ');
  throw invalidRequest(`'audio.voice' must be one of ${known}.`, 'audio.voice');
}
