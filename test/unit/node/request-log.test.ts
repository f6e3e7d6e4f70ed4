import { expect, test, vi } from 'vitest';
import { requestLine } from '../../../src/node/serve/bridge/request-line.ts';
import { openBridge } from './support/bridge.ts';

const AT = new Date(2026, 4, 1, 12, 4, 31).getTime();
const RUNNING = { id: 'req_1', at: AT, method: 'POST', endpoint: 'chat/completions', key: 'app' };
const ENDED = {
  ...RUNNING,
  model: 'a/b',
  status: 200,
  durationMs: 840,
  firstTokenMs: 210,
  tokensPerSecond: 12.34,
  promptTokens: 9,
  cachedTokens: 2,
  completionTokens: 5,
  finishReason: 'stop' as const,
};

test('a request is one line', () => {
  expect(requestLine(ENDED)).toBe(
    '12:04:31 "app" POST chat/completions a/b 200 0.84s first=0.21s tokens/s=12.3 in=9 cached=2 out=5 end=stop',
  );
  const refused = { ...RUNNING, key: '', durationMs: 1, status: 401, error: { code: null } };
  expect(requestLine(refused)).toBe('12:04:31 - POST chat/completions - 401 0.00s end=error');
});

test('a client cannot write lines or control characters into the log', () => {
  const line = requestLine({ ...ENDED, model: 'a\n12:00:00 b\u001b[2J', endpoint: 'x\r\u0007' });
  expect(line).not.toMatch(/\p{C}/u);
});

test('the page reports requests that have ended, without parameters, if it is asked to', async () => {
  const { watchers, logged } = await openBridge(() => {}, [], true);
  await vi.waitFor(() => expect(watchers).toHaveLength(1));
  watchers[0]?.(RUNNING);
  watchers[0]?.({ ...ENDED, parameters: { temperature: 0 } });
  const { id: _id, ...told } = ENDED;
  await vi.waitFor(() => expect(logged).toEqual([told]));
  expect((await openBridge(() => {})).watchers).toEqual([]);
});
