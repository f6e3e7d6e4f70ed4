import { ApiError } from '../../src/core/errors/errors.ts';

/** What went wrong: HTTP status, and what a client may read. */
const FAULTS = {
  upstream_unreachable: {
    status: 502,
    text: 'could not be reached. It may be down. If it is not, its server must allow this origin by CORS, and the content security policy of sw.js must allow it in connect-src.',
  },
  upstream_redirected: {
    status: 502,
    text: 'redirects the request, which is refused: prompts go to the configured address only.',
  },
  upstream_invalid: {
    status: 502,
    text: 'gave no list of models, or an answer without a valid status.',
  },
  upstream_timeout: { status: 504, text: 'took too long to begin its answer.' },
  upstream_unavailable: {
    status: 503,
    text: 'cannot be used now: no open page of this site gives the headers for it.',
  },
  upstream_headers_failed: {
    status: 503,
    text: 'cannot be used now: the page could not give the headers for it.',
  },
};

export type UpstreamFault = keyof typeof FAULTS;

/** The error of an upstream in our own words: clients must not learn its address or its headers. */
export function upstreamError(name: string, code: UpstreamFault): ApiError {
  const { status, text } = FAULTS[code];
  const message = `The upstream '${name}' ${text}`;
  return new ApiError({ status, type: 'server_error', code, param: null, message });
}
