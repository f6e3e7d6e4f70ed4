import { expect, test } from 'vitest';
import { repositoryOf } from '../../scripts/build/repository-of.ts';

const WANTED = 'git+https://git.example.org/owner/name.git';

test.each([
  'https://git.example.org/owner/name',
  'https://git.example.org/owner/name.git',
  'https://git.example.org/owner/name/',
  'https://user:secret@git.example.org/owner/name.git',
  'git@git.example.org:owner/name.git',
  'ssh://git@git.example.org:22/owner/name.git',
])('%s is what others can read', (remote) => {
  expect(repositoryOf(remote)).toBe(WANTED);
});

test.each([
  '',
  '/home/me/name',
  '../name',
  'file:///home/me/name',
  'https://localhost/name',
  'C:\\name',
])('“%s” reaches nobody else', (remote) => {
  expect(repositoryOf(remote)).toBeUndefined();
});
