import { expect, test, vi } from 'vitest';
import { deleteAll } from '../../../src/console/device/delete-all.ts';
import { stubStorage } from '../support/fakes/fake-storage.ts';

const BUILT_IN = 'chrome/built-in';
const MODELS = ['added/not-downloaded', BUILT_IN, 'broken/model', 'installed/model'];

/** A session whose parts are only written down, and may fail. */
function fakeSession({ broken = '', chats = () => Promise.resolve() }) {
  const stored = stubStorage({
    'slashv1-console-theme': 'dark',
    'slashv1-console-draft-': 'half a thought',
    'other-app': 'x',
  });
  const removed: string[] = [];
  const revoked: string[] = [];
  const session = {
    v1: {
      apiKey: 'own',
      keys: {
        list: () => Promise.resolve([{ id: 'k1' }, { id: 'k2' }]),
        revoke: (id: string) => Promise.resolve(void revoked.push(id)),
      },
      files: { clear: () => Promise.resolve(void removed.push('files')) },
      promptCache: { clear: () => Promise.resolve(void removed.push('prompts')) },
      models: {
        remove: (id: string) => {
          if (id === BUILT_IN || id === broken) return Promise.reject(new Error(`${id} stays.`));
          return Promise.resolve(void removed.push(id));
        },
      },
    },
    shelf: {
      refresh: () => Promise.resolve(),
      all: { value: MODELS.map((id) => ({ id })) },
      isOfBrowser: (id: string) => id === BUILT_IN,
    },
    conversations: { deleteAll: chats },
    drafts: { clear: vi.fn() },
  } as unknown as Parameters<typeof deleteAll>[0];
  return { session, stored, removed, revoked };
}

test('all models but the one of the browser are deleted, also those that are not downloaded', async () => {
  const { session, stored, removed, revoked } = fakeSession({});
  await deleteAll(session);
  expect(removed).toEqual(['files', 'prompts', ...MODELS.filter((id) => id !== BUILT_IN)]);
  expect(revoked).toEqual(['k1', 'k2']);
  expect([...stored.keys()]).toEqual(['other-app']);
});

test('what cannot be deleted is named, and all else is deleted', async () => {
  const chats = () => Promise.reject(new Error('The chats stay.'));
  const { session, stored, removed, revoked } = fakeSession({ broken: 'broken/model', chats });
  await expect(deleteAll(session)).rejects.toThrow('The chats stay. broken/model stays.');
  expect(removed).toEqual(['files', 'prompts', 'added/not-downloaded', 'installed/model']);
  expect(revoked).toEqual(['k1', 'k2']);
  expect([...stored.keys()]).toEqual(['other-app']);
});
