import { describe, expect, test } from 'vitest';
import { openApi } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';
import { errorOf, json } from '../support/read.ts';
import { filled, post, REFUNDS, storing } from './vector-store-api.ts';

describe('stores belong to their owner', () => {
  test('others get 404', async () => {
    const given = await storing();
    const id = await filled(given, { 'a.txt': REFUNDS });
    const { headers } = await limited(given.api, { files: {} });
    const other = { ...given, headers };
    const asked = [
      await given.api.fetch(`/vector_stores/${id}`, { headers }),
      await given.api.fetch(`/vector_stores/${id}/files`, { headers }),
      await post(other, `/vector_stores/${id}`, { name: 'x' }),
      await post(other, `/vector_stores/${id}/search`, { query: 'x' }),
      await given.api.fetch(`/vector_stores/${id}`, { method: 'DELETE', headers }),
    ];
    const error = { status: 404, code: null, param: 'vector_store_id' };
    for (const response of asked) expect(await errorOf(response)).toMatchObject(error);
    const [file] = (await given.client.files.list()).data;
    const foreign = await post(other, '/vector_stores', { file_ids: [file?.id] });
    expect(await errorOf(foreign)).toMatchObject({ status: 404, param: 'file_id' });
    const list = await json<{ data: object[] }>(
      await given.api.fetch('/vector_stores', { headers }),
    );
    expect(list.data).toEqual([]);
  });

  test('nothing is answered unless the site stores files', async () => {
    const api = await openApi();
    const asked = [
      await api.post('/vector_stores', {}),
      await api.fetch('/vector_stores'),
      await api.post('/vector_stores/vs_1/search', { query: 'x' }),
      await api.post('/vector_stores/vs_1/file_batches', { file_ids: [] }),
      await api.fetch('/vector_stores/vs_1/files/file-1/content'),
    ];
    for (const response of asked) {
      expect(await errorOf(response)).toMatchObject({ status: 403, code: 'files_not_enabled' });
    }
  });
});

test('a store expires after days without use', async () => {
  const given = await storing();
  const expires = { expires_after: { anchor: 'last_active_at', days: 1 } };
  const id = await filled(given, { 'a.txt': REFUNDS }, expires);
  given.api.engine.files.later = 86_400_001;
  const refused = await post(given, `/vector_stores/${id}/search`, { query: 'x' });
  expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'vector_store_expired' });
  await given.api.engine.files.stored.sweep(new Set());
  await expect(given.client.vectorStores.retrieve(id)).rejects.toMatchObject({ status: 404 });
});
