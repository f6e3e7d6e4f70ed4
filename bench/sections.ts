import { basename, join } from 'node:path';
import * as v from 'valibot';
import { buildLibrary } from '../scripts/build-library.ts';
import { runCommand } from '../scripts/run-command.ts';
import { measureSizes } from '../scripts/sizes.ts';
import { ROOT } from '../scripts/stamp.ts';
import { withBrowser } from './browser.ts';
import { measureChat } from './chat.ts';
import { measureDownload } from './download.ts';
import { figure, type Figure } from './figures.ts';
import { cold, loadSection, takeoverSection } from './life-sections.ts';
import { measureKv } from './kv.ts';
import { measureOptions } from './options.ts';
import { WORKLOADS } from './models.ts';
import { measureReload } from './reload.ts';
import { inBrowser, note, type ModelName, type Section, type Surroundings } from './section.ts';
import { measureSpeech, measureThreads, type TextResult } from './speech.ts';

export const SECTIONS: Section[] = [
  { name: 'size', measure: sizes },
  { name: 'api', measure: api },
  { name: 'grammar', model: 'smollm2', measure: grammar },
  { name: 'options.tiny', model: 'tiny', measure: options },
  chatSection('tiny'),
  chatSection('smollm2'),
  kvSection('tiny'),
  kvSection('smollm2'),
  reloadSection('tiny'),
  reloadSection('smollm2'),
  loadSection('tiny'),
  loadSection('smollm2'),
  takeoverSection('tiny'),
  takeoverSection('smollm2'),
  { name: 'cold', model: 'tiny', measure: cold },
  { name: 'download', model: 'tiny', measure: download },
  { name: 'mp3', measure: mp3 },
  { name: 'speech', model: 'kokoro', measure: speech },
  { name: 'threads', model: 'kokoro', measure: speechThreads },
];

/** A gigabit line, less what its frames take, bytes a second. */
const GIGABIT = 117e6;

async function sizes(): Promise<Figure[]> {
  await buildLibrary(['sw.js', 'slashv1.js']);
  const keys: Record<string, string> = {
    'sw.js': 'size.sw_gzip_kb',
    'slashv1.js': 'size.page_gzip_kb',
  };
  return measureSizes(join(ROOT, 'dist/lib')).flatMap(({ file, gzipKb }) => {
    const key = keys[file];
    return key === undefined ? [] : [figure(key, gzipKb)];
  });
}

/** What a script prints as JSON, alone in a process of its own. */
async function reportOf(...script: string[]): Promise<unknown> {
  const { code, output, stdout } = await runCommand('node', script, { quiet: true });
  if (code !== 0) throw new Error(output);
  return JSON.parse(stdout);
}

const microsecondsSchema = v.object({ request_us: v.number(), chunk_us: v.number() });
const apiSchema = v.object({ plain: microsecondsSchema, full: microsecondsSchema });

/** In a process of its own: nothing else is in its heap. */
async function api(): Promise<Figure[]> {
  const { plain, full } = v.parse(apiSchema, await reportOf('bench/api/main.ts'));
  return [
    figure('api.request_us', plain.request_us),
    figure('api.chunk_us', plain.chunk_us),
    figure('api.full.request_us', full.request_us, 'tools, a history of calls, logprobs'),
    figure('api.full.chunk_us', full.chunk_us, 'with logprobs'),
  ];
}

const grammarSchema = v.object({
  schemas: v.record(
    v.string(),
    v.object({ convert_ms: v.number(), compile_ms: v.number(), cached_ms: v.number() }),
  ),
  mask_ms: v.record(v.string(), v.number()),
  sampler_ms: v.record(v.string(), v.number()),
});

/** The parts of constrained and limited decoding that need no GPU, with a real vocabulary. */
async function grammar({ packs }: Surroundings): Promise<Figure[]> {
  const { pack } = WORKLOADS.smollm2;
  const folder = packs.find((path) => basename(path) === pack) ?? '';
  const report = await reportOf('bench/grammar/main.ts', folder);
  const { schemas, mask_ms, sampler_ms } = v.parse(grammarSchema, report);
  const compiled = Object.entries(schemas).flatMap(([name, ms]) => [
    figure(`grammar.${name}.convert_ms`, ms.convert_ms, 'JSON Schema to EBNF'),
    figure(`grammar.${name}.compile_ms`, ms.compile_ms, 'by the grammar engine, first time'),
    figure(`grammar.${name}.cached_ms`, ms.cached_ms, 'again'),
  ]);
  const sampled = Object.entries(sampler_ms).map(([name, ms]) =>
    figure(`grammar.sampler.${name}_ms`, ms, 'a token, on the CPU'),
  );
  const masked = Object.entries(mask_ms).map(([name, ms]) =>
    figure(`grammar.mask.${name}_ms`, ms, 'a token'),
  );
  return [...compiled, ...masked, ...sampled];
}

async function options(where: Surroundings): Promise<Figure[]> {
  const { plainRate, options: measured } = await inBrowser('tiny', where, measureOptions);
  return [
    figure('options.tiny.plain_tokens_per_s', plainRate),
    ...measured.flatMap(({ name, rate, addedMs }) => [
      figure(`options.tiny.${name}.tokens_per_s`, rate),
      figure(`options.tiny.${name}.added_ms`, addedMs.median, `a token; ${note(addedMs)}`),
    ]),
  ];
}

function chatSection(model: ModelName): Section {
  return { name: `chat.${model}`, model, measure: (where) => chat(model, where) };
}

async function chat(name: ModelName, where: Surroundings): Promise<Figure[]> {
  const { decodeRatio, decodeRate, ttftAddedMs, ttftMs, tokens } = await inBrowser(
    name,
    where,
    measureChat,
  );
  const at = `chat.${name}`;
  return [
    figure(`${at}.decode_ratio`, decodeRatio.median, note(decodeRatio, `${tokens} tokens`)),
    figure(`${at}.v1_tokens_per_s`, decodeRate.v1),
    figure(`${at}.direct_tokens_per_s`, decodeRate.direct),
    figure(`${at}.ttft_added_ms`, ttftAddedMs.median, note(ttftAddedMs)),
    figure(`${at}.v1_ttft_ms`, ttftMs.v1),
    figure(`${at}.direct_ttft_ms`, ttftMs.direct),
  ];
}

function kvSection(model: ModelName): Section {
  return { name: `kv.${model}`, model, measure: (where) => kv(model, where) };
}

async function kv(name: ModelName, where: Surroundings): Promise<Figure[]> {
  const { prefillRatio, prefilledTokens, ttftMs } = await inBrowser(name, where, measureKv);
  const counts = `${prefilledTokens.v1} tokens for ${prefilledTokens.direct}`;
  const at = `kv.${name}`;
  return [
    figure(`${at}.prefill_ratio`, prefillRatio, `two clients in turn, ${counts}`),
    figure(`${at}.v1_ttft_ms`, ttftMs.v1, 'from the second turn on'),
    figure(`${at}.direct_ttft_ms`, ttftMs.direct),
  ];
}

function reloadSection(model: ModelName): Section {
  return { name: `reload.${model}`, model, measure: (where) => reload(model, where) };
}

async function reload(name: ModelName, where: Surroundings): Promise<Figure[]> {
  const { ratio, firstTokenMs, loadedMs } = await inBrowser(name, where, measureReload);
  const at = `reload.${name}`;
  return [
    figure(`${at}.ratio`, ratio.median, note(ratio)),
    figure(`${at}.v1_first_token_ms`, firstTokenMs.v1),
    figure(`${at}.direct_first_token_ms`, firstTokenMs.direct),
    figure(`${at}.v1_loaded_ms`, loadedMs.v1),
    figure(`${at}.direct_loaded_ms`, loadedMs.direct),
  ];
}

/** On a line that is fast, and from this machine, which no line is as fast as. */
async function download({ origin, pairs = 6 }: Surroundings): Promise<Figure[]> {
  return withBrowser(async (browser) => {
    const line = await measureDownload(browser, origin, pairs, GIGABIT);
    const local = await measureDownload(browser, origin, pairs);
    return [
      figure('download.ratio', line.ratio.median, note(line.ratio, 'gigabit line')),
      figure('download.v1_mb_per_s', line.megabytesPerSecond.v1),
      figure('download.direct_mb_per_s', line.megabytesPerSecond.direct),
      figure('download.v1_cpu_s_per_gb', line.cpuSecondsPerGigabyte.v1),
      figure('download.direct_cpu_s_per_gb', line.cpuSecondsPerGigabyte.direct),
      figure('download.local_ratio', local.ratio.median, note(local.ratio)),
      figure('download.local_v1_mb_per_s', local.megabytesPerSecond.v1),
      figure('download.local_direct_mb_per_s', local.megabytesPerSecond.direct),
    ];
  });
}

const mp3Schema = v.object({ times_real_time: v.number() });

async function mp3(): Promise<Figure[]> {
  const { times_real_time } = v.parse(mp3Schema, await reportOf('bench/mp3/main.ts'));
  return [
    figure('mp3.times_real_time', times_real_time, 'seconds of sound in one of processor time'),
  ];
}

/** The embedded voice, beside kokoro-js. */
async function speech({ origin, pairs = 3 }: Surroundings): Promise<Figure[]> {
  const { ten, twiceFive, sixty, peakBytes } = await measureSpeech(origin, pairs);
  const megabytes = (side: 'v1' | 'direct') =>
    peakBytes
      ? [figure(`speech.${side}_peak_mb`, peakBytes[side] / 1e6, 'of the page’s process')]
      : [];
  return [
    ...speechFigures('speech.ten', ten),
    ...speechFigures('speech.twice_five', twiceFive),
    ...speechFigures('speech.sixty', sixty),
    ...megabytes('v1'),
    ...megabytes('direct'),
  ];
}

async function speechThreads({ origin, pairs = 6 }: Surroundings): Promise<Figure[]> {
  const { ratio, one, two } = await measureThreads(origin, pairs);
  return [
    figure('threads.ratio', ratio.median, note(ratio, 'two threads ÷ one')),
    figure('threads.one_seconds_per_second', one),
    figure('threads.two_seconds_per_second', two),
  ];
}

function speechFigures(
  at: string,
  { costRatio, cost, firstByteRatio, firstByteMs, bySentence, seconds }: TextResult,
): Figure[] {
  const length = `${seconds.v1.toFixed(1)} s of sound, ${seconds.direct.toFixed(1)} s of kokoro-js`;
  return [
    figure(`${at}.cost_ratio`, costRatio.median, note(costRatio, length)),
    figure(`${at}.v1_seconds_per_second`, cost.v1),
    figure(`${at}.direct_seconds_per_second`, cost.direct),
    figure(`${at}.first_byte_ratio`, firstByteRatio.median, note(firstByteRatio)),
    figure(`${at}.v1_first_byte_ms`, firstByteMs.v1),
    figure(`${at}.direct_first_byte_ms`, firstByteMs.direct),
    ...(bySentence
      ? [
          figure(`${at}.direct_stream_first_byte_ms`, bySentence.firstByteMs, 'its stream()'),
          figure(`${at}.direct_stream_seconds_per_second`, bySentence.cost, 'its stream()'),
        ]
      : []),
  ];
}

/** Figures of which each model has one, and the goal holds for each. */
const OF_EACH_MODEL = ['reload.*.ratio', 'load.*.ratio', 'takeover.*.added_ms'];

/** Of these, the worst of the models that were measured. */
export function worstOfModels(figures: readonly Figure[]): Figure[] {
  return OF_EACH_MODEL.flatMap((pattern) => {
    const [begin = '', end = ''] = pattern.split('*');
    const each = figures.filter(({ key }) => key.startsWith(begin) && key.endsWith(end));
    const [worst] = each.toSorted((a, b) => b.value - a.value);
    return worst ? [figure(begin.slice(0, -1) + end, worst.value, `that of ${worst.key}`)] : [];
  });
}
