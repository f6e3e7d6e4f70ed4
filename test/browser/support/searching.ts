import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import type { DrivenPage } from './browser/driven-page.ts';
import { openStarted, test as base, withProfile } from './fixtures.ts';
import { withHold, type Hold } from './hold.ts';
import { EMBEDDER, RANKER, withTestSite, type TestSite } from './site.ts';

interface EmbeddingCases {
  paraphrases: { text: string; paraphrase: string }[];
  questions: { query: string; passage: string }[];
  /** `vector_start`: the first numbers of the text's vector. */
  vectors: { text: string; tokens: number; vector_start: number[] }[];
}

export const embeddingCases: EmbeddingCases = JSON.parse(fixture('tiny-embed-cases.json'));

function fixture(file: string): string {
  return readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8');
}

interface Fixtures {
  retrievalSite: TestSite;
  /** Control of the site's engines. */
  retrievalHold: Hold;
  searching: Page;
}

export const test = base.extend<object, Fixtures>({
  retrievalSite: [
    ({}, use) => withTestSite(['tiny-chat', 'tiny-embed', 'tiny-rerank', 'tiny-embed-gguf'], use),
    { scope: 'worker' },
  ],
  retrievalHold: [
    ({ retrievalSite }, use) => withHold(retrievalSite, use),
    { scope: 'worker', auto: true },
  ],
  searching: [
    ({ retrievalSite }, use) =>
      withProfile(async (profile) => use(await openStarted(profile, retrievalSite.url))),
    { scope: 'worker' },
  ],
});

/** The vectors that the openai package returns. */
export async function embed(
  page: DrivenPage,
  input: string[],
  rest: object = {},
): Promise<number[][]> {
  const { data } = await page.evaluate((body) => window.client.embeddings.create(body), {
    model: EMBEDDER,
    input,
    ...rest,
  });
  return data.map(({ embedding }) => embedding);
}

export function dot(a: readonly number[] = [], b: readonly number[] = []): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

export const rankings: Ranking[] = JSON.parse(fixture('tiny-rerank-cases.json'));

interface Ranking {
  query: string;
  documents: string[];
  /** Index of the document that answers the query. */
  right: number;
  scores: number[];
}

interface Reranked {
  results: { index: number; relevance_score: number }[];
  usage: { total_tokens: number };
}

export async function rerank(page: DrivenPage, body: object): Promise<Reranked> {
  const text = await page.evaluate(async (whole) => (await window.post('rerank', whole)).text(), {
    model: RANKER,
    ...body,
  });
  const reranked: Reranked = JSON.parse(text);
  return reranked;
}

/**
 * Sends a request with many texts and aborts it when its worker is held. It goes through `v1.fetch`: a service worker
 * hears of an abort only when the answer is whole or its grace is over.
 *
 * @returns the name of the error that ends the request
 */
export async function abortUnderWay(
  page: Page,
  hold: Hold,
  path: string,
  body: object,
): Promise<unknown> {
  await hold.at({ batches: 2 });
  const begun = await page.evaluateHandle(
    ([below, asked]) => {
      const aborting = new AbortController();
      const answer = window.v1.fetch(`${window.v1.baseURL}/${below}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${window.v1.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(asked),
        signal: aborting.signal,
      });
      const name = answer.then(
        () => 'It was answered.',
        (error: unknown) => error instanceof Error && error.name,
      );
      return { aborting, name };
    },
    [path, body] as const,
  );
  await hold.untilHeld();
  const name = await begun.evaluate((request) => {
    request.aborting.abort();
    return request.name;
  });
  await hold.untilStopped();
  await hold.release();
  return name;
}
