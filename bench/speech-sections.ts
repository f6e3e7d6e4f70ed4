import { measured, type Reading } from './figures.ts';
import type { Launch } from './section.ts';
import { measureSpeechMemory } from './speech-memory.ts';
import { measureThreads } from './speech-threads.ts';
import { measureSpeech, type TextResult } from './speech.ts';

/** The embedded voice beside kokoro-js. */
export async function speech(launch: Launch): Promise<Reading[]> {
  const result = await measureSpeech(launch, launch.pairs ?? 1);
  const { firstByteMs, cost } = result.directSentences;
  const note = 'its stream()';
  return [
    ...textReadings('speech.ten', result.ten),
    ...textReadings('speech.twice_five', result.twiceFive),
    ...textReadings('speech.sixty', result.sixty),
    measured('speech.sixty.direct_stream_first_byte_ms', firstByteMs, note),
    measured('speech.sixty.direct_stream_seconds_per_second', cost, note),
  ];
}

function textReadings(
  at: string,
  { costRatio, cost, firstByteRatio, firstByteMs, seconds }: TextResult,
): Reading[] {
  const lengths = `${seconds.v1.toFixed(1)} s of audio, kokoro-js ${seconds.direct.toFixed(1)} s`;
  return [
    measured(`${at}.cost_ratio`, costRatio, lengths),
    measured(`${at}.v1_seconds_per_second`, cost.v1),
    measured(`${at}.direct_seconds_per_second`, cost.direct),
    measured(`${at}.first_byte_ratio`, firstByteRatio),
    measured(`${at}.v1_first_byte_ms`, firstByteMs.v1),
    measured(`${at}.direct_first_byte_ms`, firstByteMs.direct),
  ];
}

export async function speechMemory(launch: Launch): Promise<Reading[]> {
  const peaks = Object.entries(await measureSpeechMemory(launch));
  return peaks.flatMap(([side, bytes]) =>
    bytes === undefined
      ? []
      : [measured(`memory.speech.${side}_peak_mb`, bytes / 1e6, 'the page’s process')],
  );
}

export async function speechThreads(launch: Launch): Promise<Reading[]> {
  const { ratio, one, two } = await measureThreads(launch, launch.pairs ?? 2);
  return [
    measured('threads.ratio', ratio, 'two threads ÷ one'),
    measured('threads.one_seconds_per_second', one),
    measured('threads.two_seconds_per_second', two),
  ];
}
