import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MODEL, openApi, ORIGIN, type TestApi } from '../support/api.ts';
import { anyFields, damaged, nearlyRight, type RawRequest } from './arbitrary-requests.ts';
import { expectAnswerOrRefusal, StrictEngine } from './fuzz-checks.ts';
import { quickApp } from '../support/quick-app.ts';

/** The cases are the same in every run; another seed gives others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
/** No case takes so long, however busy the machine. */
const HANG_MS = 30_000;
const TIMEOUT_MS = 300_000;

function assert<T extends [unknown, ...unknown[]]>(
  property: fc.IAsyncPropertyWithHooks<T>,
  numRuns: number,
): Promise<void> {
  return fc.assert(property, { seed: SEED, numRuns, timeout: HANG_MS, endOnFailure: true });
}

describe('any body is answered, or refused with a reason:', { timeout: TIMEOUT_MS }, () => {
  const { post } = quickApp(new StrictEngine());
  let answered = 0;

  async function check({ path, bytes }: RawRequest): Promise<void> {
    const response = await post(path, bytes);
    if (response.status === 200) answered++;
    await expectAnswerOrRefusal(response, [400, 404]);
  }

  test.each([
    ['requests of real clients with a few changes', nearlyRight, 10_000],
    ['any values in the usual fields', anyFields, 6_000],
    ['damaged bytes, other encodings, bytes that are not JSON', damaged, 4_000],
  ] as const)('%s', async (_what, requests, numRuns) => {
    answered = 0;
    await assert(fc.asyncProperty(requests, check), numRuns);
    // If hardly any were answered, this would only show that everything is refused.
    expect(answered).toBeGreaterThan(numRuns / 20);
    expect(answered).toBeLessThan(numRuns / 2);
  });
});

describe('any request is answered, or refused with a reason:', { timeout: TIMEOUT_MS }, () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await openApi();
  });

  const anyPath = fc.oneof(
    fc.webPath(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('/models/%E0%A4%A', '/models/%00', '/models/..%2F..', '//models', '/models//'),
    fc.constantFrom('/chat/completions/', '/chat//completions', '/completions?x=1#y', '/MODELS'),
    fc.webPath().map((path) => `/models${path}`),
  );
  const method = fc.oneof(
    fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'patch'),
    fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/).filter(isAllowedMethod),
  );
  const headerName = fc.oneof(
    fc.constantFrom('content-type', 'accept', 'x-stainless-os', 'openai-organization', 'range'),
    fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/),
  );
  const headerValue = fc.stringMatching(/^[\x21-\x7e\x80-\xff][\t\x20-\x7e\x80-\xff]{0,50}$/);
  const authorization = fc.oneof(
    { weight: 3, arbitrary: fc.constant('the key') },
    fc.constantFrom('Bearer', 'Bearer ', 'bearer sk-slashv1-', 'Basic YTpi', 'Bearer a b'),
    headerValue,
    headerValue.map((value) => `Bearer sk-slashv1-${value}`),
  );

  test('any path, method, headers and key', async () => {
    const property = fc.asyncProperty(
      fc.record({
        path: anyPath,
        method,
        headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 4 }),
        authorization,
      }),
      async ({ path, method: asked, headers, authorization: sent }) => {
        const all = new Headers(headers);
        all.set('authorization', sent === 'the key' ? `Bearer ${api.key}` : sent);
        const body = ['GET', 'HEAD'].includes(asked.toUpperCase()) ? null : '{}';
        const request = new Request(`${ORIGIN}/v1${encodeURI(path.toWellFormed())}`, {
          method: asked,
          headers: all,
          body,
        });
        const response = await api.app(request);
        if (asked === 'HEAD' || response.status === 204) expect(response.body).toBeNull();
        else await expectAnswerOrRefusal(response, [400, 401, 403, 404, 405]);
      },
    );
    await assert(property, 2_000);
  });

  test('any model in the path', async () => {
    const id = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(MODEL, '__proto__', '..'));
    const property = fc.asyncProperty(id, async (model) => {
      const response = await api.fetch(`/models/${encodeURIComponent(model.toWellFormed())}`);
      await expectAnswerOrRefusal(response, [404]);
    });
    await assert(property, 500);
  });
});

function isAllowedMethod(method: string): boolean {
  return !['CONNECT', 'TRACE', 'TRACK'].includes(method.toUpperCase());
}
