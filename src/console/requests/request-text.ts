import type { ApiRequest } from '../../index.ts';
import { formatRate, formatSeconds } from '../ui/format.ts';

/** What the table shows of a request, by the titles of its columns. Unknown values are empty. */
export function cellsOf(request: ApiRequest): Record<string, string> {
  const { tokensPerSecond, promptTokens, completionTokens } = request;
  return {
    Key: request.key ?? '',
    Endpoint: request.endpoint,
    Model: modelOf(request),
    Status: statusOf(request),
    Queued: milliseconds(request.queuedMs),
    'First token': milliseconds(request.firstTokenMs),
    'Tokens/s': tokensPerSecond === undefined ? '' : formatRate(tokensPerSecond),
    'Tokens in': promptTokens === undefined ? '' : tokensIn(promptTokens, request.cachedTokens),
    'Tokens out': completionTokens === undefined ? '' : String(completionTokens),
    Ended: request.error?.code ?? request.finishReason ?? '',
  };
}

/** What left the device is marked. */
function modelOf({ model = '', upstream }: ApiRequest): string {
  return upstream === undefined ? model : `${model} (upstream ${upstream})`;
}

function tokensIn(all: number, cached = 0): string {
  return cached > 0 ? `${all} (${cached} cached)` : String(all);
}

function statusOf({ status, durationMs }: ApiRequest): string {
  if (durationMs === undefined) return 'running';
  return status === undefined ? 'no answer' : String(status);
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
