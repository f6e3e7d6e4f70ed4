import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { build } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { ROOT } from '../../scripts/build/stamp.ts';
import { installedProject, type Project } from './support/project.ts';
import { openBrowser, serveSite } from './support/site.ts';

// The engine is compiled on the CPU.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

function firstBlock(language: string, after: string): string {
  const section = readme.slice(readme.indexOf(after));
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1] ?? '';
}

const SECTION = '## Put it into a page';
const EXAMPLE = firstBlock('js', SECTION);
const COMMAND = /npx (slashv1 init [^#\n]*)/.exec(firstBlock('sh', SECTION))?.[1] ?? '';

let project: Project;

beforeAll(async () => {
  project = await installedProject();
  await project.run('npx', ...COMMAND.trim().split(' '));
});

/** What the page has printed, once it contains the answer. */
async function printed(page: Page, url: string): Promise<string> {
  let text = '';
  page.on('console', (message) => (text += message.text()));
  page.on('pageerror', (error) => (text += String(error)));
  await page.goto(url);
  await vi.waitUntil(() => /is Paris|Error/.test(text), { timeout: 100_000 });
  return text;
}

test('the first example runs as it stands, built by a bundler: first visit, reload', async () => {
  symlinkSync(join(ROOT, 'node_modules/openai'), join(project.folder, 'node_modules/openai'));
  project.write({
    'index.html': '<!doctype html><script type="module" src="./main.js"></script>',
    'main.js': EXAMPLE,
  });
  await build({ root: project.folder, logLevel: 'error', build: { target: 'es2022' } });
  const url = await serveSite(join(project.folder, 'dist'));
  const page = await (await openBrowser()).newPage();
  expect(await printed(page, url)).toContain('The capital of France is Paris');
  expect(await printed(page, url)).toContain('The capital of France is Paris');
});

test('a page without a bundler imports the page library that init has put there', async () => {
  const [, imported = ''] = /^import (.*) from 'slashv1';$/m.exec(EXAMPLE) ?? [];
  project.write({
    'public/index.html': `<!doctype html><script type="module">
      import ${imported} from './slashv1.js';
      const { baseURL, apiKey } = await start({ model: 'slashv1/tiny-chat' });
      const response = await fetch(baseURL + '/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + apiKey },
        body: JSON.stringify({
          model: 'slashv1/tiny-chat',
          messages: [{ role: 'user', content: 'What is the capital of France?' }],
        }),
      });
      console.log((await response.json()).choices[0].message.content);
    </script>`,
  });
  const url = await serveSite(join(project.folder, 'public'));
  const page = await (await openBrowser()).newPage();
  expect(await printed(page, url)).toContain('The capital of France is Paris');
});
