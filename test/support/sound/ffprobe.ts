import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';

/** ffprobe is part of ffmpeg, which not every machine has. */
export const HAS_FFPROBE = spawnSync('ffprobe', ['-version']).status === 0;

/** Why a test is skipped. */
export const NO_FFPROBE = 'ffprobe is not installed: install ffmpeg.';

const numberSchema = v.pipe(v.string(), v.transform(Number), v.number());

const reportSchema = v.object({
  frames: v.array(v.object({ nb_samples: v.number() })),
  streams: v.tuple([
    v.object({ codec_name: v.string(), sample_rate: numberSchema, channels: v.number() }),
  ]),
  format: v.object({ duration: numberSchema }),
});

/** What ffprobe, an independent program, finds in a file. */
export interface Probe {
  codec: string;
  /** Hertz. */
  rate: number;
  channels: number;
  /** Duration as the file states it; estimated from the size if the file was streamed. */
  seconds: number;
  /** Duration of all frames that can be decoded. */
  decodedSeconds: number;
}

export function probe(bytes: Uint8Array): Probe {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-audio-'));
  const path = join(folder, 'speech');
  writeFileSync(path, bytes);
  const entries = 'stream=codec_name,sample_rate,channels:format=duration:frame=nb_samples';
  const asked = ['-v', 'error', '-of', 'json', '-show_entries', entries, path];
  const { stdout, stderr } = spawnSync('ffprobe', asked, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  rmSync(folder, { recursive: true });
  if (stderr !== '') throw new Error(`ffprobe: ${stderr}`);
  const { frames, streams, format } = v.parse(reportSchema, JSON.parse(stdout));
  const [{ codec_name: codec, channels, sample_rate: rate }] = streams;
  const samples = frames.reduce((sum, frame) => sum + frame.nb_samples, 0);
  return { codec, channels, rate, seconds: format.duration, decodedSeconds: samples / rate };
}
