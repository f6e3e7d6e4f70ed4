import { expect, test, vi } from 'vitest';
import { filled, stored, storing } from './vector-store-api.ts';

const CHUNKS = 10_000;
const FILES = 20;

/** A text of this many chunks, each about a number of its own. */
function textOf(file: number): string {
  return Array.from({ length: CHUNKS / FILES }, (_, at) =>
    `subject${file * 1_000 + at} `.repeat(60).trim(),
  ).join('\n\n');
}

test('a store of 10,000 chunks survives engines that take over, and has each chunk once', async () => {
  const given = await storing();
  const { client, api } = given;
  const { files } = api.engine;
  const ids = [];
  for (let at = 0; at < FILES; at++) ids.push((await stored(client, textOf(at), `${at}.txt`)).id);
  const static_ = { max_chunk_size_tokens: 100, chunk_overlap_tokens: 0 };
  const { id } = await client.vectorStores.create({
    file_ids: ids,
    chunking_strategy: { type: 'static', static: static_ },
  });
  const completed = async () => (await client.vectorStores.retrieve(id)).file_counts.completed;
  await vi.waitFor(async () => expect(await completed()).toBeGreaterThan(2), { timeout: 60_000 });
  files.takeOver();
  await vi.waitFor(async () => expect(await completed()).toBeGreaterThan(8), { timeout: 60_000 });
  files.takeOver();
  await vi.waitFor(async () => expect(await completed()).toBe(FILES), { timeout: 120_000 });
  const chunks = [];
  for (const file of ids) {
    const { data } = await client.vectorStores.files.content(file, { vector_store_id: id });
    chunks.push(...data.map(({ text }) => text));
  }
  expect([chunks.length, new Set(chunks).size]).toEqual([CHUNKS, CHUNKS]);
  const { data } = await client.vectorStores.search(id, { query: 'subject13007' });
  expect(data[0]?.content[0]?.text).toContain('subject13007 ');
  const { usage_bytes: bytes } = await client.vectorStores.retrieve(id);
  await client.vectorStores.files.delete(ids[0] ?? '', { vector_store_id: id });
  expect((await client.vectorStores.retrieve(id)).usage_bytes).toBeLessThan(bytes);
}, 240_000);

test('a store whose model was removed, or whose disk is full, says so and stays whole', async () => {
  const given = await storing();
  const { client, api } = given;
  const id = await filled(given, { 'a.txt': 'Refunds take five days.' });
  const { models } = api.engine.files;
  api.engine.files.models = [];
  await expect(client.vectorStores.search(id, { query: 'refunds' })).rejects.toMatchObject({
    status: 400,
    param: 'embedding_model',
  });
  api.engine.files.models = models;
  api.engine.files.quota = 100;
  await expect(stored(client, 'x'.repeat(100))).rejects.toMatchObject({ code: 'storage_full' });
  const { data } = await client.vectorStores.search(id, { query: 'refunds' });
  expect(data).toHaveLength(1);
});
