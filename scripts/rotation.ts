import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { ROOT } from './stamp.ts';

const EXAMPLES = 'test/embed';

/** Of `npm run test:upstream`, what is small enough: Ray's wheels have 134 MB. llama.cpp is compiled, vLLM takes gigabytes. */
const SMALL_ENGINES = ['ray'];

/** The slowest browser tests, in groups that take about as long: a project, and a file below `test/browser`. */
const SLOW_TESTS = [
  [
    ...['webllm faults/takeover', 'webllm faults/downloads', 'webllm faults/crashed-load'],
    ...['webllm equality', 'webllm webllm-retrieval', 'llamacpp rag-example'],
    ...['llamacpp console-attachments', 'llamacpp console-hub', 'llamacpp console-tools'],
    ...['webllm tools', 'llamacpp console-playground', 'llamacpp console-chat'],
    ...['webllm faults/clock', 'webllm stored-once', 'llamacpp hearing-turns'],
    'llamacpp whisper-mels',
  ],
  [
    ...['webllm memory', 'webllm faults/same-answer', 'webllm faults/standby'],
    ...['webllm faults/service-worker', 'llamacpp faults/model-worker'],
    ...['llamacpp console-dictation', 'llamacpp console-models', 'llamacpp console-upstreams'],
    ...['webllm hearing', 'llamacpp faults/same-answer', 'llamacpp console-languages'],
    ...['llamacpp upstreams', 'llamacpp upstream-routes', 'llamacpp upstream-headers'],
    ...['llamacpp share', 'llamacpp page-fetch', 'llamacpp faults/abort-kinds'],
  ],
  [
    ...['webllm faults/engine-worker', 'webllm model-library', 'webllm faults/update'],
    ...['llamacpp notes-example', 'llamacpp console-accessibility'],
    ...['llamacpp console-queue', 'llamacpp console-code', 'llamacpp console-device'],
    ...['llamacpp memory', 'webllm start-twice', 'llamacpp console-busy'],
    ...['llamacpp upstream-load', 'llamacpp console-requests', 'llamacpp intercept'],
    ...['webllm faults/damaged-voice', 'webllm device', 'webllm hub', 'webllm webllm-images'],
    ...['llamacpp hub-embedders', 'llamacpp kinds-in-list'],
  ],
] as const;

/** What `npm test` runs of the slowest tests: another part for each commit. */
export interface Rotation {
  /** Path of the test of one example; undefined: it is an engine's turn. */
  example?: string;
  /** An upstream engine that takes the place of an example. */
  engine?: string;
  /** What the names of the slow browser tests that are left out begin with: a regular expression. */
  leftOut: string;
}

/** The part for this commit, by its time; in a folder without git, by the time of day. */
export async function rotation(): Promise<Rotation> {
  const examples = readdirSync(join(ROOT, EXAMPLES))
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  return rotationAt(await commitTime(), examples);
}

/**
 * The part for a time.
 *
 * @param time - seconds
 * @param examples - files in `test/embed`
 */
export function rotationAt(time: number, examples: readonly string[]): Rotation {
  const others = SLOW_TESTS.filter((_, index) => index !== time % SLOW_TESTS.length);
  const turns: Omit<Rotation, 'leftOut'>[] = [
    ...examples.map((file) => ({ example: `${EXAMPLES}/${file}` })),
    ...SMALL_ENGINES.map((engine) => ({ engine })),
  ];
  return {
    ...turns[Math.floor(time / SLOW_TESTS.length) % turns.length],
    leftOut: `^ ?(${others.flat().join('|')})\\.test\\.ts`,
  };
}

/** Seconds. */
async function commitTime(): Promise<number> {
  const now = Math.floor(Date.now() / 1000);
  try {
    const { code, stdout } = await runCommand('git', ['log', '-1', '--format=%ct'], {
      quiet: true,
    });
    return code === 0 ? Number(stdout) : now;
  } catch {
    return now;
  }
}
