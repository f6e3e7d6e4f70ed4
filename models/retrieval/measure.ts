/**
 * `node models/retrieval/measure.ts URL KEY [WAY …]`: how often a search of the docs finds the passage that answers a question
 * among its five best. The API at URL must store files, and have an embedder and a reranker. Adds to `report.json`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import questions from './questions.json' with { type: 'json' };
import known from './report.json' with { type: 'json' };

const DOCS = join(import.meta.dirname, '../../docs');
const AMONG = 5;

type Ranking = NonNullable<OpenAI.VectorStoreSearchParams['ranking_options']> & {
  hybrid_search?: { embedding_weight: number; text_weight: number };
};

const byWeights = (embedding_weight: number): Ranking => ({
  ranker: 'none',
  hybrid_search: { embedding_weight, text_weight: (10 - 10 * embedding_weight) / 10 },
});

const WAYS: Record<string, Ranking> = {
  'vectors only': byWeights(1),
  'words only': byWeights(0),
  ...Object.fromEntries(
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((weight) => [
      `hybrid, vectors ${weight}`,
      byWeights(weight),
    ]),
  ),
  'hybrid, reranked': { ranker: 'auto' },
};

const [baseURL, apiKey, ...only] = process.argv.slice(2);
const client = new OpenAI({ ...(baseURL && { baseURL }), ...(apiKey && { apiKey }) });

/** A vector store with all pages of the docs. */
async function storeOfDocs(): Promise<string> {
  const { id } = await client.vectorStores.create({ name: 'docs' });
  const names = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  const files = await Promise.all(
    names.map((name) => toFile(readFileSync(join(DOCS, name)), name)),
  );
  const { file_counts: counts } = await client.vectorStores.fileBatches.uploadAndPoll(id, {
    files,
  });
  if (counts.completed !== names.length) throw new Error(JSON.stringify(counts));
  return id;
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ');

async function isFound(
  store: string,
  [query, file, phrase]: readonly string[],
  ranking_options: Ranking,
): Promise<boolean> {
  const { data } = await client.vectorStores.search(store, {
    query: query ?? '',
    ranking_options,
    max_num_results: AMONG,
  });
  return data.some(
    ({ filename, content }) =>
      filename === file && content.some(({ text }) => plain(text).includes(phrase ?? '')),
  );
}

const REPORT = join(import.meta.dirname, 'report.json');
const store = await storeOfDocs();
const recall: Record<string, number> = { ...known.recall };
for (const [way, ranking] of Object.entries(WAYS)) {
  if (only.length > 0 && !only.includes(way)) continue;
  let found = 0;
  for (const question of questions) if (await isFound(store, question, ranking)) found++;
  recall[way] = Number((found / questions.length).toFixed(3));
  console.log(way, found);
}
const report = { questions: questions.length, among: AMONG, recall };
writeFileSync(REPORT, `${JSON.stringify(report, undefined, 2)}\n`);
