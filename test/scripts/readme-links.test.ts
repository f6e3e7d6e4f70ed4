import { expect, test } from 'vitest';
import { relativeLinks, withAbsoluteLinks } from '../../scripts/build/readme-links.ts';

const README = `
![The console](docs/console.png) of [docs/embed.md](docs/embed.md), and how
[without a service worker](docs/embed.md#without-a-service-worker).
[WebLLM](https://webllm.mlc.ai) · [below](#models) · [write](mailto:me@example.org)`;

test('relative links are those that depend on where they are read', () => {
  const found = ['docs/console.png', 'docs/embed.md', 'docs/embed.md#without-a-service-worker'];
  expect(relativeLinks(README)).toEqual(found);
});

test.each([
  [
    'git+https://github.com/owner/name.git',
    'https://github.com/owner/name/raw/HEAD/',
    'https://github.com/owner/name/blob/HEAD/',
  ],
  [
    'git+https://gitlab.com/group/sub/name.git',
    'https://gitlab.com/group/sub/name/-/raw/HEAD/',
    'https://gitlab.com/group/sub/name/-/blob/HEAD/',
  ],
])('of %s lead to its files', (repository, pictures, pages) => {
  expect(withAbsoluteLinks(README, repository)).toBe(`
![The console](${pictures}docs/console.png) of [docs/embed.md](${pages}docs/embed.md), and how
[without a service worker](${pages}docs/embed.md#without-a-service-worker).
[WebLLM](https://webllm.mlc.ai) · [below](#models) · [write](mailto:me@example.org)`);
});

test('a host whose addresses are unknown', () => {
  const elsewhere = 'git+https://git.example.org/owner/name.git';
  expect(withAbsoluteLinks(README, elsewhere)).toBeUndefined();
  const absolute = '[docs](https://git.example.org/owner/name/docs)';
  expect(withAbsoluteLinks(absolute, elsewhere)).toBe(absolute);
});
