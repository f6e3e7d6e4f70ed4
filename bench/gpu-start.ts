import * as v from 'valibot';
import { timedAnswerSchema, timedReloadSchema } from './answer.ts';
import { openV1Page } from './both-engines.ts';
import { call } from './browser.ts';
import { measured, type Reading } from './figures.ts';
import { openAsking, reloadAsking } from './reload.ts';
import type { ModelLaunch } from './section.ts';
import { onGpu } from './sides.ts';
import { median } from './statistics.ts';

/** A tab whose model is stored, opened for the first time and reloaded: the browser has compiled its kernels then. */
export async function measureGpuStart(at: string, launch: ModelLaunch): Promise<Reading[]> {
  const { browser, origin, model } = launch;
  const { engines, llamacppDevice } = onGpu(model);
  const options = { engines, llamacppDevice };
  const first = await openV1Page(launch);
  await first.evaluate(call('bench.startEmpty', options));
  await first.evaluate(call('bench.download', model.id));
  await first.close();
  const question = { model: model.id, messages: model.messages, maxTokens: 2 };
  const page = await openAsking(browser, `${origin}/slashv1/v1.html`, { ...question, ...options });
  const uncached = v.parse(timedReloadSchema, await page.evaluate('result'));
  const cached = [];
  for (let n = 0; n < model.pairs.reload; n++) cached.push(await reloadAsking(page));
  await page.evaluate(call('bench.fillKvCaches', model.id));
  const answer = await page.evaluate(call('bench.askV1', question));
  const next = v.parse(timedAnswerSchema, answer);
  await page.close();
  const firstTokenMs = median(cached.map(({ sinceNavigationMs }) => sinceNavigationMs));
  const answerMs = median(cached.map(({ firstMs }) => firstMs));
  return [
    measured(`${at}.first_token_ms`, firstTokenMs, 'from the navigation'),
    measured(`${at}.uncached_first_token_ms`, uncached.sinceNavigationMs, 'kernels not cached'),
    measured(`${at}.answer_ms`, answerMs, 'the first request after the load'),
    measured(`${at}.uncached_answer_ms`, uncached.firstMs, 'kernels not cached'),
    measured(`${at}.next_answer_ms`, next.firstMs, 'kernels in use'),
  ];
}
