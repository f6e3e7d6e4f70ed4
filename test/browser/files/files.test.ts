import { expect, openStarted, restart, withProfile } from '../support/fixtures.ts';
import { install } from '../support/models.ts';
import { EMBEDDER, RANKER, TINY } from '../support/site.ts';
import {
  ANIMALS,
  ask,
  counts,
  found,
  opened,
  test,
  upload,
  WEATHER,
  type Store,
} from '../support/storing.ts';

test('files are stored, indexed with the real embedder, and found, also by another tab and after a reload', async ({
  library,
}) => {
  await withProfile(async (profile) => {
    const page = await opened(profile, library);
    const ids = [
      await upload(page, 'animals.md', ANIMALS),
      await upload(page, 'weather.txt', WEATHER),
    ];
    const { id } = await ask<Store>(page, '/vector_stores', { name: 'docs', file_ids: ids });
    await expect.poll(() => counts(page, id)).toMatchObject({ completed: 2, total: 2 });
    expect((await found(page, id, 'a cat'))[0]).toBe('animals.md');
    expect((await found(page, id, 'Will it rain?'))[0]).toBe('weather.txt');
    const other = await openStarted(profile, library.url, { files: true });
    expect((await found(other, id, 'a cat'))[0]).toBe('animals.md');
    await install(other, RANKER);
    expect((await found(other, id, 'a cat'))[0]).toBe('animals.md');
    await other.close();
    await restart(page, { files: true });
    expect((await found(page, id, 'a cat'))[0]).toBe('animals.md');
    await ask(page, `/files/${ids[0]}`, undefined, 'DELETE');
    expect(await found(page, id, 'a cat')).toEqual(['weather.txt']);
    const metrics = await page.evaluate(async () => {
      const { baseURL, apiKey } = window.v1;
      const headers = { authorization: `Bearer ${apiKey}` };
      return (await fetch(`${baseURL}/metrics`, { headers })).text();
    });
    // Since the reload there were two searches. Indexing does not count.
    for (const model of [EMBEDDER, RANKER]) {
      expect(metrics).toContain(`requests_total{model="${model}",outcome="answered"} 2\n`);
    }
    await page.evaluate(() => window.v1.files.clear());
    expect((await ask<{ data: unknown[] }>(page, '/files')).data).toEqual([]);
    expect((await ask<{ data: unknown[] }>(page, '/vector_stores')).data).toEqual([]);
  });
});

test('files that wait to be indexed are indexed by the tab that takes over, each once', async ({
  library,
}) => {
  await withProfile(async (profile) => {
    const page = await opened(profile, library);
    const other = await openStarted(profile, library.url, { files: true });
    const text = (at: number) => `Note ${at}. ${ANIMALS} ${WEATHER} `.repeat(40);
    const ids = [];
    for (let at = 0; at < 12; at++) ids.push(await upload(page, `${at}.txt`, text(at)));
    const { id } = await ask<Store>(page, '/vector_stores', { file_ids: ids });
    await expect.poll(async () => (await counts(other, id)).completed).toBeGreaterThan(0);
    await page.close();
    await expect
      .poll(() => counts(other, id), { timeout: 120_000 })
      .toMatchObject({ completed: 12, failed: 0, total: 12 });
    const whole = await ask<Store>(other, `/vector_stores/${id}`);
    const again = await ask<Store>(other, '/vector_stores', { file_ids: ids });
    await expect
      .poll(() => counts(other, again.id), { timeout: 120_000 })
      .toMatchObject({ completed: 12 });
    // Files that are indexed without a break take the same space: nothing was lost or stored twice.
    const { usage_bytes: bytes } = await ask<Store>(other, `/vector_stores/${again.id}`);
    expect(whole.usage_bytes).toBe(bytes);
    expect(await found(other, id, 'note')).toHaveLength(10);
  });
});

interface Item {
  type: string;
  queries?: string[];
  results?: { filename: string; text: string }[];
  content?: { text: string; annotations: { type: string; file_id: string; index: number }[] }[];
}

test('file_search answers from the files with a real model, also in the next turn', async ({
  library,
}) => {
  await withProfile(async (profile) => {
    const page = await opened(profile, library);
    await install(page, RANKER);
    await install(page, TINY);
    const ids = [
      await upload(page, 'animals.md', ANIMALS),
      await upload(page, 'weather.txt', WEATHER),
    ];
    const { id } = await ask<Store>(page, '/vector_stores', { file_ids: ids });
    await expect.poll(() => counts(page, id)).toMatchObject({ completed: 2, total: 2 });
    const request = {
      model: TINY,
      max_output_tokens: 40,
      temperature: 0,
      tools: [{ type: 'file_search', vector_store_ids: [id] }],
      include: ['file_search_call.results'],
    };
    const first = await ask<{ id: string; output: Item[]; usage: { input_tokens: number } }>(
      page,
      '/responses',
      { ...request, input: 'What does the cat do?' },
    );
    const [call, message] = first.output;
    expect(call).toMatchObject({ type: 'file_search_call', queries: ['What does the cat do?'] });
    expect(call?.results?.[0]).toMatchObject({ filename: 'animals.md', text: ANIMALS });
    expect(message).toMatchObject({ type: 'message', content: [{ text: expect.any(String) }] });
    const [part] = message?.content ?? [];
    for (const { type, file_id, index } of part?.annotations ?? []) {
      expect([type, ids.includes(file_id)]).toEqual(['file_citation', true]);
      expect(index).toBeLessThanOrEqual(part?.text.length ?? 0);
    }
    const second = await ask<typeof first>(page, '/responses', {
      ...request,
      input: 'Will it rain?',
      previous_response_id: first.id,
    });
    expect(second.output[0]?.results?.[0]).toMatchObject({ filename: 'weather.txt' });
    // The passages of both turns are in the prompt.
    expect(second.usage.input_tokens).toBeGreaterThan(first.usage.input_tokens);
  });
});
