import { measureChat } from './chat.ts';
import { counted, measured, type Reading } from './figures.ts';
import { measureKv } from './kv.ts';
import { measureRequestOptions } from './request-options.ts';
import { inBrowser, type Launch, type ModelName, type Section } from './section.ts';

export function chatSection(model: ModelName): Section {
  return { name: `chat.${model}`, model, measure: (launch) => chat(model, launch) };
}

async function chat(model: ModelName, launch: Launch): Promise<Reading[]> {
  const result = await inBrowser(model, launch, measureChat);
  const { decodeRatio, decodeRate, ttftAddedMs, ttftMs, tokens } = result;
  const at = `chat.${model}`;
  return [
    measured(`${at}.decode_ratio`, decodeRatio, `${tokens} tokens`),
    measured(`${at}.v1_tokens_per_s`, decodeRate.v1),
    measured(`${at}.direct_tokens_per_s`, decodeRate.direct),
    measured(`${at}.ttft_added_ms`, ttftAddedMs),
    measured(`${at}.v1_ttft_ms`, ttftMs.v1),
    measured(`${at}.direct_ttft_ms`, ttftMs.direct),
  ];
}

export function kvSection(model: ModelName): Section {
  return { name: `kv.${model}`, model, isExact: true, measure: (launch) => kv(model, launch) };
}

async function kv(model: ModelName, launch: Launch): Promise<Reading[]> {
  const { prefillRatio, prefilledTokens, ttftMs } = await inBrowser(model, launch, measureKv);
  const { v1, direct } = prefilledTokens;
  const at = `kv.${model}`;
  return [
    counted(`${at}.prefill_ratio`, prefillRatio, `two clients, ${v1} tokens ÷ ${direct}`),
    measured(`${at}.v1_ttft_ms`, ttftMs.v1, 'from the second turn on'),
    measured(`${at}.direct_ttft_ms`, ttftMs.direct),
  ];
}

export function optionsSection(model: ModelName): Section {
  return { name: `options.${model}`, model, measure: (launch) => options(model, launch) };
}

async function options(model: ModelName, launch: Launch): Promise<Reading[]> {
  const result = await inBrowser(model, launch, measureRequestOptions);
  const at = `options.${model}`;
  return [
    measured(`${at}.plain_tokens_per_s`, result.plainRate),
    ...result.options.flatMap(({ name, rate, addedMs }) => [
      measured(`${at}.${name}.tokens_per_s`, rate),
      measured(`${at}.${name}.added_ms`, addedMs, 'per token'),
    ]),
  ];
}
