import type { StoredKey } from '../../../src/core/database/database.ts';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { MODEL, type TestApi } from './api.ts';

export const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };

/** Headers with a new key that has these limits. */
export async function limited(api: TestApi, limits: Partial<StoredKey>) {
  const key = createKey();
  const { id } = await api.keys.add(key, { label: 'limited', ...limits });
  const headers = { authorization: `Bearer ${key}` };
  const used = async () => (await api.keys.list()).find((each) => each.id === id)?.used?.tokens;
  return { key, id, headers, used };
}
