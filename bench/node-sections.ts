import { basename, join } from 'node:path';
import * as v from 'valibot';
import { buildLibrary } from '../scripts/build/build-library.ts';
import { runCommand } from '../scripts/run-command.ts';
import { measureSizes } from '../scripts/sizes.ts';
import { ROOT } from '../scripts/build/stamp.ts';
import { counted, measured, type Reading } from './figures.ts';
import { benchModel, WORKLOADS } from './models.ts';
import type { Launch } from './section.ts';

const SIZE_KEYS: Record<string, string> = {
  'sw.js': 'size.sw_gzip_kb',
  'slashv1.js': 'size.page_gzip_kb',
};

export async function sizes(): Promise<Reading[]> {
  await buildLibrary(['sw.js', 'slashv1.js']);
  return measureSizes(join(ROOT, 'dist/lib')).flatMap(({ file, gzipKb }) => {
    const key = SIZE_KEYS[file];
    return key === undefined ? [] : [counted(key, gzipKb)];
  });
}

/** Runs a script in a fresh Node process, where nothing else is in the heap, and parses its output. */
async function outputOf(...script: string[]): Promise<unknown> {
  const { code, output, stdout } = await runCommand('node', script, { quiet: true });
  if (code !== 0) throw new Error(output);
  return JSON.parse(stdout);
}

const microsecondsSchema = v.object({ request_us: v.number(), chunk_us: v.number() });
const ratiosSchema = v.object({ request: v.number(), stream: v.number() });
const apiSchema = v.object({
  plain: microsecondsSchema,
  full: microsecondsSchema,
  unwatched: ratiosSchema,
});

export async function api(): Promise<Reading[]> {
  const { plain, full, unwatched } = v.parse(apiSchema, await outputOf('bench/api/main.ts'));
  return [
    measured('api.request_us', plain.request_us),
    measured('api.chunk_us', plain.chunk_us),
    measured('api.full.request_us', full.request_us, 'tools, a history of calls, logprobs'),
    measured('api.full.chunk_us', full.chunk_us, 'logprobs'),
    measured('api.unwatched.request_ratio', unwatched.request, 'requests.watch, nobody watches'),
    measured('api.unwatched.stream_ratio', unwatched.stream, '1,000 chunks'),
  ];
}

const consoleSchema = v.object({
  inp_ms: v.number(),
  longest_task_ms: v.number(),
  long_tasks: v.number(),
  keys: v.number(),
});

export async function consoleStreaming(): Promise<Reading[]> {
  const output = await outputOf('bench/console/main.ts');
  const { inp_ms, longest_task_ms, long_tasks, keys } = v.parse(consoleSchema, output);
  return [
    measured('console.inp_ms', inp_ms, `${keys} keys while 400 pieces a second are written`),
    measured('console.longest_task_ms', longest_task_ms, `${long_tasks} tasks above 50 ms`),
  ];
}

const searchSchema = v.object({ search_ms: v.number(), first_ms: v.number() });

export async function search(): Promise<Reading[]> {
  const output = await outputOf('bench/search/main.ts');
  const { search_ms, first_ms } = v.parse(searchSchema, output);
  return [
    measured(
      'search.100000_cpu_ms',
      search_ms,
      'vectors of 384 numbers, and words; processor time',
    ),
    measured('search.first_cpu_ms', first_ms, 'before the code is compiled'),
  ];
}

const grammarSchema = v.object({
  schemas: v.record(
    v.string(),
    v.object({ convert_ms: v.number(), compile_ms: v.number(), cached_ms: v.number() }),
  ),
  sample: v.record(v.string(), v.number()),
  mask_ms: v.record(v.string(), v.number()),
  sampler_ms: v.record(v.string(), v.number()),
});

/** The parts of constrained and limited decoding that need no GPU, with a real vocabulary. */
export async function grammar({ packs }: Launch): Promise<Reading[]> {
  const { pack } = WORKLOADS.smollm2;
  const folder = packs.find((path) => basename(path) === pack) ?? '';
  const output = await outputOf('bench/grammar/main.ts', folder);
  const { schemas, sample, mask_ms, sampler_ms } = v.parse(grammarSchema, output);
  const compiled = Object.entries(schemas).flatMap(([name, ms]) => [
    measured(`grammar.${name}.convert_ms`, ms.convert_ms, 'JSON Schema to EBNF'),
    measured(`grammar.${name}.compile_ms`, ms.compile_ms, 'EBNF compiled for the first time'),
    measured(`grammar.${name}.cached_ms`, ms.cached_ms, 'compiled again'),
  ]);
  const sampled = Object.entries(sample).map(([name, ms]) =>
    measured(`grammar.sample.${name}`, ms, 'over a fixed sample of schemas'),
  );
  const masked = Object.entries(mask_ms).map(([name, ms]) =>
    measured(`grammar.mask.${name}_ms`, ms, 'per token'),
  );
  const processed = Object.entries(sampler_ms).map(([name, ms]) =>
    measured(`grammar.sampler.${name}_ms`, ms, 'per token, on the CPU'),
  );
  return [...compiled, ...sampled, ...masked, ...processed];
}

const mp3Schema = v.object({ times_real_time: v.number() });

export async function mp3(): Promise<Reading[]> {
  const { times_real_time } = v.parse(mp3Schema, await outputOf('bench/mp3/main.ts'));
  return [
    measured('mp3.times_real_time', times_real_time, 'seconds of audio per second of CPU time'),
  ];
}

/** The file of the default model. */
function defaultGguf(packs: readonly string[]): string {
  const { gguf, pack } = benchModel(WORKLOADS.smollm2, [...packs]);
  return join(packs.find((path) => basename(path) === pack) ?? '', gguf.file);
}

/** What `/v1` adds to the calls of llama.cpp that decide. */
export async function decisionsAdded({ packs }: Launch): Promise<Reading[]> {
  const output = await outputOf('bench/speed/decide.ts', defaultGguf(packs));
  const { ratio } = v.parse(v.object({ ratio: v.number() }), output);
  return [measured('decide.api_ratio', ratio, 'processor time of all ÷ of llama.cpp')];
}

const speedSchema = v.record(v.string(), v.object({ ratio: v.number(), tokens: v.number() }));

/** Writing for four clients at once beside writing for one. */
export async function four({ packs }: Launch): Promise<Reading[]> {
  const output = await outputOf('bench/speed/four.ts', defaultGguf(packs));
  const speeds = v.parse(
    v.object({ ratio: v.number(), one: v.number(), four: v.number() }),
    output,
  );
  const [all, one] = [Math.round(speeds.four), Math.round(speeds.one)];
  return [measured('speed.four', speeds.ratio, `${all} and ${one} tokens/s`)];
}

/** Writing with drafts beside writing without. */
export async function drafts({ packs }: Launch): Promise<Reading[]> {
  const output = await outputOf('bench/speed/main.ts', defaultGguf(packs));
  return Object.entries(v.parse(speedSchema, output)).map(([name, { ratio, tokens }]) =>
    measured(`speed.${name}`, ratio, `${tokens} tokens`),
  );
}
