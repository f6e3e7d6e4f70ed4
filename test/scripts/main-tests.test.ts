import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { runCommand } from '../../scripts/run-command.ts';
import { apiEndpoints } from '../../sw/endpoints.ts';

// Playwright loads all tests to list some.
vi.setConfig({ testTimeout: 120_000 });

/** What `npm test` promises of browsers, as the headings of the lists name it. */
const PROMISES = {
  browser: [
    ...['chat/completions, completions and models, WebLLM'],
    ...['chat/completions, completions and models, llama.cpp'],
    ...['responses, conversations, messages, tokenize and detokenize, WebLLM'],
    ...['responses, conversations, messages, tokenize and detokenize, llama.cpp'],
    ...['decisions and systemone', 'images, WebLLM', 'images, llama.cpp'],
    ...['embeddings, ONNX Runtime', 'embeddings and rerank, llama.cpp'],
    ...['files and vector_stores', 'rerank, ONNX Runtime', 'audio/speech, ONNX Runtime'],
    ...['audio/transcriptions, ONNX Runtime', 'audio/translations, ONNX Runtime'],
    ...['first visit', 'takeover', 'resume', 'update'],
    ...['abort, WebLLM', 'abort, llama.cpp', 'offline', 'the console’s main path'],
  ],
  browsers: ['Firefox', 'WebKit'],
};

/** The lines of a list, by the heading above them. */
function listed(suite: string, list = 'main'): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of readFileSync(`test/${suite}/${list}.txt`, 'utf8').split('\n')) {
    if (line.startsWith('# ')) groups.set(line.slice(2), (lines = []));
    else if (line !== '') lines.push(line);
  }
  return groups;
}

interface Suite {
  title: string;
  /** Each with the file that defines it, which may be another one than the suite's. */
  specs: { title: string; file: string; tests: { projectName: string }[] }[];
  suites?: Suite[] | undefined;
}

const suiteSchema: v.GenericSchema<unknown, Suite> = v.object({
  title: v.string(),
  specs: v.array(
    v.object({
      title: v.string(),
      file: v.string(),
      tests: v.array(v.object({ projectName: v.string() })),
    }),
  ),
  suites: v.optional(v.array(v.lazy(() => suiteSchema))),
});

const reportSchema = v.object({ suites: v.array(suiteSchema) });

/** The tests that Playwright finds by a list, as its lines. */
async function found(suite: string, options: string[], list = 'main'): Promise<string[]> {
  const selected = `--test-list=test/${suite}/${list}.txt`;
  const args = ['playwright', 'test', '--list', '--reporter=json', selected, ...options];
  const { stdout } = await runCommand('npx', args, { quiet: true });
  const { suites } = v.parse(reportSchema, JSON.parse(stdout));
  const lines = (path: string[], { specs, suites: inner = [] }: Suite): string[] => [
    ...specs.flatMap(({ title, file, tests }) =>
      tests.map(({ projectName }) => [`[${projectName}]`, file, ...path, title].join(' › ')),
    ),
    ...inner.flatMap((each) => lines([...path, each.title], each)),
  ];
  return suites.flatMap((each) => lines([], each));
}

function expectToExist(lines: string[], tests: string[]): void {
  const isThere = (line: string) =>
    tests.some((each) => each === line || each.startsWith(`${line} › `));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !isThere(line))).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
}

describe.each([
  ['browser', PROMISES.browser, []],
  ['browsers', PROMISES.browsers, ['--config', 'test/browsers']],
])('the list of %s', (suite, promises, options) => {
  test.each(promises)('has a test of: %s', (promise) => {
    expect(listed(suite).get(promise)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\[\w+\] › /)]),
    );
  });

  test('names only tests that exist', async () => {
    expectToExist([...listed(suite).values()].flat(), await found(suite, options));
  });

  test('of long tests names only tests that exist', async () => {
    const lines = [...listed(suite, 'long').values()].flat();
    expectToExist(lines, await found(suite, options, 'long'));
  });
});

test('each endpoint that computes something has a heading', () => {
  const headings = [...listed('browser').keys()].flatMap((heading) => heading.split(/, | and /));
  const endpoints = apiEndpoints()
    .filter(({ method, path }) => method === 'POST' && !/\{|_tokens$/.test(path))
    .map(({ path }) => path);
  expect(endpoints.length).toBeGreaterThan(8);
  expect(endpoints.filter((path) => !headings.includes(path))).toEqual([]);
});
