import type { TimedReload } from './answer.ts';
import { measured, type Reading } from './figures.ts';
import { measurePairs, medianOfPairs, mediansBySide } from './pairs.ts';
import { openAsking, reloadAsking } from './reload.ts';
import { inBrowser, type Launch, type ModelLaunch } from './section.ts';

/** Sentences of the system prompt, which has about 2,000 tokens of the default model. */
const RULES = [
  'Answer questions about the harbour museum, its boats and its opening hours.',
  'If a visitor asks about prices, name the price for adults first and then the one for children.',
  'Never promise a guided tour in January, because the halls are painted then.',
  'When you do not know something, say so, and give the telephone number of the office.',
];
const REPEATS = 31;
const QUESTION = 'May I bring my dog?';

/** A reload with a long system prompt that is kept on disk, beside one with a prompt that is not. */
export function kept(launch: Launch): Promise<Reading[]> {
  return inBrowser('smollm2', launch, measureKept);
}

async function measureKept(launch: ModelLaunch): Promise<Reading[]> {
  const measure = {
    v1: () => reloaded(launch, true),
    direct: () => reloaded(launch, false),
  };
  await measurePairs(1, measure, launch.isSwapped);
  const pairs = await measurePairs(launch.model.pairs.reload, measure, launch.isSwapped);
  for (const { v1, direct } of pairs) {
    if (v1.text !== direct.text) throw new Error(`The answers differ: ${v1.text} ${direct.text}`);
  }
  const [first] = pairs;
  const note = `${first?.v1.cachedTokens} of ${first?.v1.promptTokens} tokens from the disk`;
  const sinceNavigation = mediansBySide(pairs, ({ sinceNavigationMs }) => sinceNavigationMs);
  const sinceRequest = mediansBySide(pairs, ({ firstMs }) => firstMs);
  const ratio = (of: (side: TimedReload) => number) =>
    medianOfPairs(pairs, ({ v1, direct }) => of(v1) / of(direct));
  return [
    measured(
      'speed.kept',
      ratio(({ sinceNavigationMs }) => sinceNavigationMs),
      note,
    ),
    measured('speed.kept_first_token_ms', sinceNavigation.v1, 'from the navigation'),
    measured('speed.kept_without_ms', sinceNavigation.direct),
    measured(
      'speed.kept_request_ms',
      sinceRequest.v1,
      'from the request, with the model in memory',
    ),
    measured('speed.kept_without_request_ms', sinceRequest.direct),
  ];
}

/** A visit and its reload, which is measured. The tab is closed, because one engine serves all tabs. */
async function reloaded({ browser, origin, model }: ModelLaunch, keeps: boolean) {
  const text = Array.from({ length: REPEATS }, (_, at) => `${at + 1}. ${RULES.join(' ')}`);
  const ttl = keeps ? '12h' : '30m';
  const breakpoint = { mode: 'explicit', ttl };
  const system = {
    role: 'system',
    content: [{ type: 'text', text: text.join('\n'), prompt_cache_breakpoint: breakpoint }],
  };
  const more = { messages: [system, { role: 'user', content: QUESTION }] };
  const question = { model: model.id, messages: [], more, maxTokens: 8, keeps };
  const asked = { ...question, engines: ['llamacpp'] };
  const page = await openAsking(browser, `${origin}/slashv1/v1.html`, asked);
  const result = await reloadAsking(page);
  await page.close();
  return result;
}
