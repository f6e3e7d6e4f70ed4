import { describe, expect, test } from 'vitest';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';
import { filled, HOURS, REFUNDS, storing } from './vector-store-api.ts';

/** A part of a recorded form: of a file, the bytes are not kept. */
interface Part {
  name: string;
  value?: string;
  filename?: string;
  bytesLength?: number;
}

const about = /^\/v1\/(files|vector_stores)\b/;

const cases = recordings().filter(({ requests }) => requests.every(({ path }) => about.test(path)));

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const { name, value, filename = '', bytesLength = 0 } of parts) {
    if (value === undefined) form.append(name, new File(['x'.repeat(bytesLength)], filename));
    else form.append(name, value);
  }
  return form;
}

function isForm(body: unknown): body is Part[] {
  return Array.isArray(body);
}

describe.skipIf(!hasSharedFixtures)(
  'requests recorded from clients, with the ids of this server',
  () => {
    test('are there', () => expect(cases.length).toBeGreaterThan(5));

    test.each(cases.map((each) => [`${each.client} ${each.case}`, each.requests] as const))(
      '%s',
      async (_, requests) => {
        const given = await storing();
        const { api, client, headers } = given;
        const vs_1 = await filled(given, { 'a.txt': REFUNDS, 'b.md': HOURS });
        const { data } = await client.vectorStores.files.list(vs_1, { order: 'asc' });
        const ids = new Map([['vs_1', vs_1]]);
        for (const [at, { id }] of data.entries()) ids.set(`file-${at + 1}`, id);
        const known = (text: string) =>
          text.replaceAll(/\b(file-\d|vs_1|vsfb_1)\b/g, (id) => ids.get(id) ?? id);
        for (const { method, path, body } of requests) {
          const response = await api.fetch(known(path.replace(/^\/v1/, '')), {
            method,
            headers: isForm(body) ? headers : { ...headers, 'content-type': 'application/json' },
            ...(body && { body: isForm(body) ? formOf(body) : known(JSON.stringify(body)) }),
          });
          expect([method, path, response.status]).toEqual([method, path, 200]);
          await noteBatch(response, ids);
        }
      },
    );
  },
);

async function noteBatch(response: Response, ids: Map<string, string>): Promise<void> {
  const [batch] = /vsfb_\w+/.exec(await response.text()) ?? [];
  if (batch !== undefined) ids.set('vsfb_1', batch);
}
