import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { installedProject, type Project } from './support/project.ts';
import { serveSite } from './support/site.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let project: Project;
let url: string;

const doctor = (...args: string[]) => project.run('npx', 'slashv1', 'doctor', ...args);

beforeAll(async () => {
  project = await installedProject();
  await project.run('npx', 'slashv1', 'init', 'site', '--speech', '--pdf');
  project.write({ 'site/index.html': '<!doctype html><title>A site</title>' });
  url = await serveSite(join(project.folder, 'site'));
});

test('what init made is set up correctly', async () => {
  expect(await doctor(url)).toMatchObject({ code: 0, stdout: `${url} is set up correctly.\n` });
});

test('what is damaged later is found, and the command fails', async () => {
  appendFileSync(join(project.folder, 'site/packs/tiny-chat/tokenizer.json'), ' ');
  const { code, stdout, stderr } = await doctor(url);
  expect(stdout).toMatch(
    /^problem: \/packs\/tiny-chat\/tokenizer\.json has 21532 bytes instead of 21531\.\n$/,
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining(`slashv1: ${url} has 1 problem.\n`)]);
});

test.each([
  [[], 'Give the URL of one page.'],
  [['a-file.html'], '"a-file.html" is not the URL of a page.'],
  [['file:///index.html'], '"file:///index.html" is not the URL of a page.'],
  [['--what'], "Unknown option '--what'"],
])('%j is a usage error', async (args, message) => {
  expect(await doctor(...args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
});
