import { openStarted, expect, withProfile } from '../support/fixtures.ts';
import {
  ANIMALS,
  ask,
  counts,
  found,
  opened,
  test,
  upload,
  type Store,
} from '../support/storing.ts';

test('two tabs that store and index at once lose nothing and index nothing twice', async ({
  library,
}) => {
  await withProfile(async (profile) => {
    const one = await opened(profile, library);
    const other = await openStarted(profile, library.url, { files: true });
    const tabs = [one, other];
    const { id } = await ask<Store>(one, '/vector_stores', {});
    const text = (name: string) => `Note ${name}. ${ANIMALS} `.repeat(20);
    const names = tabs.map((_, tab) =>
      Array.from({ length: 6 }, (_each, at) => `${tab}-${at}.txt`),
    );
    const stored = await Promise.all(
      tabs.map((tab, at) =>
        Promise.all((names[at] ?? []).map((name) => upload(tab, name, text(name)))),
      ),
    );
    const all = stored.flat();
    expect(new Set(all).size).toBe(12);
    // Each tab adds its own files one by one and those of both as a batch.
    await Promise.all(
      tabs.flatMap((tab, at) => [
        ...(stored[at] ?? []).map((file_id) => ask(tab, `/vector_stores/${id}/files`, { file_id })),
        ask(tab, `/vector_stores/${id}/file_batches`, { file_ids: all }),
      ]),
    );
    await expect
      .poll(() => counts(other, id), { timeout: 120_000 })
      .toMatchObject({ completed: 12, failed: 0, total: 12 });
    const { data } = await ask<{ data: { id: string }[] }>(one, `/vector_stores/${id}/files`);
    expect(data.map((file) => file.id).toSorted()).toEqual(all.toSorted());
    const { usage_bytes: bytes } = await ask<Store>(one, `/vector_stores/${id}`);
    const again = await ask<Store>(one, '/vector_stores', { file_ids: all });
    await expect
      .poll(() => counts(one, again.id), { timeout: 120_000 })
      .toMatchObject({ completed: 12 });
    // Indexed from one tab, these files take the same space.
    expect((await ask<Store>(one, `/vector_stores/${again.id}`)).usage_bytes).toBe(bytes);
    for (const tab of tabs) expect(await found(tab, id, 'note')).toHaveLength(10);
    // With the last file, all that was counted is gone.
    for (const file of all) await ask(other, `/files/${file}`, undefined, 'DELETE');
    expect((await ask<Store>(one, `/vector_stores/${id}`)).usage_bytes).toBe(0);
  });
});
