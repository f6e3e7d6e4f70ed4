/**
 * `node models/retrieval/measure.ts URL KEY [WAY …]`: how often a search finds the passage that answers a question among its
 * five best. The API at URL must store files, and have an embedder and a reranker. Adds to `report.json`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import cases from '../../test/fixtures/tiny-embed-cases.json' with { type: 'json' };
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
  'hybrid, vectors 0.2, reranked': { ...byWeights(0.2), ranker: 'auto' },
};

const [baseURL, apiKey, ...only] = process.argv.slice(2);
const client = new OpenAI({ ...(baseURL && { baseURL }), ...(apiKey && { apiKey }) });

/** A question, and where its answer is. */
interface Question {
  query: string;
  file: string;
  /** A phrase of the passage. */
  phrase: string;
}

interface QuestionSet {
  files: Record<string, string>;
  questions: Question[];
}

/** Our docs, whose subject the test models do not know. */
function docs(): QuestionSet {
  const names = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  return {
    files: Object.fromEntries(names.map((name) => [name, readFileSync(join(DOCS, name), 'utf8')])),
    questions: questions.map(([query = '', file = '', phrase = '']) => ({ query, file, phrase })),
  };
}

/** Pairs of a subject that the test models know, held out of their training, among 80 other texts of it. */
function pairs(): QuestionSet {
  const passages = cases.questions.map(({ query, passage }, at) => ({
    query,
    file: `${at}.txt`,
    phrase: passage,
  }));
  const others = cases.paraphrases.flatMap((each) => [each.text, each.paraphrase]);
  const files: [name: string, text: string][] = [
    ...passages.map(({ file, phrase }): [string, string] => [file, phrase]),
    ...others.map((text, at): [string, string] => [`other-${at}.txt`, text]),
  ];
  return { files: Object.fromEntries(files), questions: passages };
}

/** A vector store with these files. */
async function storeOf(texts: Record<string, string>): Promise<string> {
  const { id } = await client.vectorStores.create({});
  const files = await Promise.all(
    Object.entries(texts).map(([name, text]) => toFile(Buffer.from(text), name)),
  );
  const { file_counts: counts } = await client.vectorStores.fileBatches.uploadAndPoll(id, {
    files,
  });
  if (counts.completed !== files.length) throw new Error(JSON.stringify(counts));
  return id;
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ');

async function isFound(store: string, { query, file, phrase }: Question, ranking: Ranking) {
  const { data } = await client.vectorStores.search(store, {
    query,
    ranking_options: ranking,
    max_num_results: AMONG,
  });
  return data.some(
    ({ filename, content }) =>
      filename === file && content.some(({ text }) => plain(text).includes(plain(phrase))),
  );
}

const REPORT = join(import.meta.dirname, 'report.json');
const report: typeof known = structuredClone(known);
for (const [name, set] of [
  ['docs', docs()],
  ['pairs', pairs()],
] as const) {
  const store = await storeOf(set.files);
  const recall: Record<string, number> = report[name].recall;
  for (const [way, ranking] of Object.entries(WAYS)) {
    if (only.length > 0 && !only.includes(way)) continue;
    let found = 0;
    for (const question of set.questions) if (await isFound(store, question, ranking)) found++;
    recall[way] = Number((found / set.questions.length).toFixed(3));
    console.log(name, way, found);
  }
  await client.vectorStores.delete(store);
}
writeFileSync(REPORT, `${JSON.stringify(report, undefined, 2)}\n`);
