import type { Page } from 'playwright/test';
import { expect, openStarted, restart, withProfile } from '../support/fixtures.ts';
import { ask, counts, found, test, upload, type Store } from '../support/storing.ts';

const FILES = 20;
const CHUNKS = 10_000;
/** A chunk has 100 tokens, each counted as four characters. */
const static_ = { max_chunk_size_tokens: 100, chunk_overlap_tokens: 0 };
const chunking_strategy = { type: 'static', static: static_ };

/** A text whose paragraphs are chunks, each about a number of its own. */
function textOf(file: number): string {
  return Array.from({ length: CHUNKS / FILES }, (_, at) =>
    `subject${file * 1_000 + at} `.repeat(26).trim(),
  ).join('\n\n');
}

async function chunksOf(page: Page, store: string, file: string): Promise<string[]> {
  const path = `/vector_stores/${store}/files/${file}/content`;
  const { data } = await ask<{ data: { text: string }[] }>(page, path);
  return data.map(({ text }) => text);
}

test('10,000 chunks, stored by two tabs at once, survive a takeover and a reload, each once', async ({
  library,
}) => {
  await withProfile(async (profile) => {
    const one = await openStarted(profile, library.url, { files: true });
    const other = await openStarted(profile, library.url, { files: true });
    const { id } = await ask<Store>(one, '/vector_stores', { embedding_model: null });
    const add = async (tab: Page, at: number) => {
      const file_id = await upload(tab, `${at}.txt`, textOf(at));
      await ask(tab, `/vector_stores/${id}/files`, { file_id, chunking_strategy });
      return file_id;
    };
    const files = await Promise.all(
      Array.from({ length: FILES }, (_, at) => add(at % 2 === 0 ? one : other, at)),
    );
    await expect.poll(async () => (await counts(other, id)).completed).toBeGreaterThan(0);
    await one.close();
    await expect.poll(async () => (await counts(other, id)).completed).toBeGreaterThan(2);
    await restart(other, { files: true });
    await expect
      .poll(() => counts(other, id), { timeout: 120_000 })
      .toMatchObject({ completed: FILES, failed: 0, total: FILES });
    const chunks: string[] = [];
    for (const file of files) chunks.push(...(await chunksOf(other, id, file)));
    expect([chunks.length, new Set(chunks).size]).toEqual([CHUNKS, CHUNKS]);
    expect(await found(other, id, 'subject13007')).toEqual(['13.txt']);
    const whole = await ask<Store>(other, `/vector_stores/${id}`);
    const again = await ask<Store>(other, '/vector_stores', {
      embedding_model: null,
      file_ids: files,
      chunking_strategy,
    });
    await expect
      .poll(() => counts(other, again.id), { timeout: 120_000 })
      .toMatchObject({ completed: FILES });
    // Indexed without a break, these files take the same space.
    const { usage_bytes: bytes } = await ask<Store>(other, `/vector_stores/${again.id}`);
    expect(whole.usage_bytes).toBe(bytes);
  });
});
