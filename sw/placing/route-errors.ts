import { ApiError, refusal, type ApiErrorData } from '../../src/core/errors/errors.ts';

/** An entry that could not serve a request, and why. */
export interface Skipped {
  to: string;
  error: ApiErrorData;
}

/** This entry cannot serve the request. Another entry may. */
export function cannotServe(message: string): ApiError {
  return refusal(400, message, 'route_entry');
}

/** The queue is too long now. */
export function queueTooLong(waiting: number): ApiError {
  const { data } = cannotServe(`Its queue is too long: ${waiting}.`);
  return new ApiError({ ...data, status: 503 });
}

/** Codes of this device's errors that say that a model cannot serve a request, whatever its key. */
const UNABLE = new Set([
  ...['route_entry', 'model_not_found', 'unsupported_value', 'context_length_exceeded'],
  ...['rate_limit_exceeded', 'webgpu_unavailable', 'out_of_memory', 'load_crashed'],
  ...['storage_full', 'download_paused', 'model_unusable', 'site_file_broken'],
]);

/** Whether the next entry of a route may serve the request that this one has refused. */
export function isSkipped(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { code } = error.data;
  return code !== null && (UNABLE.has(code) || code.startsWith('upstream_'));
}

/** No entry can serve the request. Whether a retry may help depends on why. */
export function routeUnavailable(name: string, skipped: readonly Skipped[]): ApiError {
  const reasons = skipped.map(({ to, error }) => `${to}: ${error.message}`).join(' ');
  const message = `No entry of the route '${name}' can serve this request. ${reasons}`;
  const mayPass = skipped.some(
    ({ error: { status, retryable } }) => retryable !== false && (status === 429 || status >= 500),
  );
  if (!mayPass) return refusal(400, message, 'route_unavailable', 'model');
  return new ApiError({
    status: 503,
    type: 'server_error',
    code: 'route_unavailable',
    param: 'model',
    message,
  });
}
