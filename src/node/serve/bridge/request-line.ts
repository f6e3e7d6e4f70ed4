import type { WatchedRequest } from '../../../core/realms/bridge-messages.ts';

/** One line of the log: `12:04:31 session POST chat/completions slashv1/tiny-chat 200 0.84s first=0.21s …`. */
export function requestLine(request: WatchedRequest): string {
  const { at, key, method, endpoint, model, status, durationMs, firstTokenMs } = request;
  const { tokensPerSecond, promptTokens, cachedTokens, completionTokens, upstream } = request;
  const ended = request.error ? (request.error.code ?? 'error') : request.finishReason;
  const parts = [
    new Date(at).toTimeString().slice(0, 8),
    key === undefined || key === '' ? '-' : JSON.stringify(key),
    method,
    endpoint,
    model ?? '-',
    String(status ?? '-'),
    seconds(durationMs),
    firstTokenMs !== undefined && `first=${seconds(firstTokenMs)}`,
    tokensPerSecond !== undefined && `tokens/s=${tokensPerSecond.toFixed(1)}`,
    promptTokens !== undefined && `in=${promptTokens}`,
    cachedTokens !== undefined && `cached=${cachedTokens}`,
    completionTokens !== undefined && `out=${completionTokens}`,
    upstream !== undefined && `upstream=${upstream}`,
    ended !== undefined && `end=${ended}`,
  ];
  // A client chooses the path and the model. Control characters are replaced, so that the line stays one line.
  return parts
    .filter((part) => part !== false)
    .join(' ')
    .replaceAll(/\p{C}/gu, '?');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)}s`;
}
