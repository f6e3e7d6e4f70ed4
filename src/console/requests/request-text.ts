import type { ApiRequest } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatNumber, formatRate, formatSeconds } from '../ui/format.ts';

/** The columns of the table after the first, which has the time. */
export const COLUMNS = [
  ...(['key', 'endpoint', 'model', 'status', 'queued', 'firstToken'] as const),
  ...(['tokensPerSecond', 'tokensIn', 'tokensOut', 'ended'] as const),
];

export type Column = (typeof COLUMNS)[number];

/** What the table shows of a request. Unknown values are empty. */
export function cellsOf(request: ApiRequest): Record<Column, string> {
  const { tokensPerSecond, promptTokens, completionTokens } = request;
  return {
    key: request.key ?? '',
    endpoint: request.endpoint,
    model: modelOf(request),
    status: statusOf(request),
    queued: milliseconds(request.queuedMs),
    firstToken: milliseconds(request.firstTokenMs),
    tokensPerSecond: tokensPerSecond === undefined ? '' : formatRate(tokensPerSecond),
    tokensIn: promptTokens === undefined ? '' : tokensIn(promptTokens, request.cachedTokens),
    tokensOut: completionTokens === undefined ? '' : formatNumber(completionTokens),
    ended: request.error?.code ?? request.finishReason ?? '',
  };
}

/** The model's name. Marks a request that has left the device. */
function modelOf({ model = '', upstream }: ApiRequest): string {
  return upstream === undefined
    ? model
    : fill(messages.value.requests.upstream, { model, name: upstream });
}

function tokensIn(all: number, cached = 0): string {
  const text = formatNumber(all);
  return cached > 0
    ? fill(messages.value.requests.cached, { all: text, cached: formatNumber(cached) })
    : text;
}

function statusOf({ status, durationMs }: ApiRequest): string {
  const { running, noAnswer } = messages.value.requests;
  if (durationMs === undefined) return running;
  return status === undefined ? noAnswer : String(status);
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? '' : formatSeconds(ms / 1000);
}

/** Whether the request has all words of the filter in one of its cells. */
export function isMatch(request: ApiRequest, filter: string): boolean {
  const text = Object.values(cellsOf(request)).join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
