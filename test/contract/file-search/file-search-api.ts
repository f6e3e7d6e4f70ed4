import { MODEL } from '../support/api.ts';
import { finish, text, type Step } from '../support/test-engine.ts';
import { filled, HOURS, post, REFUNDS, storing, type Storing } from '../files/vector-store-api.ts';

export const NOW = {
  type: 'function',
  name: 'now',
  parameters: { type: 'object', properties: {} },
  strict: false,
} as const;

/** An answer that cites the first passage. */
export const CITING: Step[] = [text('They take five'), text(' days [1'), text('].'), finish()];

/** The API, and a store with two files: `a.txt` about refunds, `b.txt` about hours. */
export async function shop(models?: string[]) {
  const given = await storing(models);
  const id = await filled(given, { 'a.txt': REFUNDS, 'b.txt': HOURS });
  const { data } = await given.client.vectorStores.files.list(id, { order: 'asc' });
  const [refunds = '', hours = ''] = data.map((file) => file.id);
  const search = { type: 'file_search' as const, vector_store_ids: [id] };
  const ask = (more: object = {}) =>
    post(given, '/responses', {
      model: MODEL,
      input: 'When are refunds paid?',
      tools: [search],
      ...more,
    });
  return { ...given, id, refunds, hours, search, ask };
}

/** The messages that the model read last. */
export function messagesOf({ api }: Pick<Storing, 'api'>) {
  const { prompt } = api.engine.last.job;
  return prompt.kind === 'chat' ? prompt.messages : [];
}
