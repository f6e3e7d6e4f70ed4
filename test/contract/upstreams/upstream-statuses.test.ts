import { afterEach, beforeEach, expect, test } from 'vitest';
import { BIG, openForwardingApi, type ForwardingApi } from './forwarding-api.ts';
import type { ErrorBody } from '../support/read.ts';

let site: ForwardingApi;

beforeEach(async () => {
  site = await openForwardingApi();
});

afterEach(() => site.cluster.close());

/** The answer to a chat that goes to the cluster. */
async function ask(): Promise<Response> {
  const { apiKey, baseURL } = await site.client();
  const headers = { authorization: `Bearer ${apiKey}` };
  const body = JSON.stringify({ model: BIG });
  return site.fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body });
}

test.each([204, 205, 304])('an answer with the status %s passes', async (status) => {
  site.cluster.answer = (response) => void response.writeHead(status, { 'x-a': 'b' }).end();
  const response = await ask();
  expect([response.status, response.headers.get('x-a')]).toEqual([status, 'b']);
  expect(await response.text()).toBe('');
});

test.each([206, 226, 300, 301, 402, 416, 418, 451, 507, 599])(
  'an answer with the status %s and a body passes',
  async (status) => {
    site.cluster.answer = (response) => void response.writeHead(status).end('{"a": 1}');
    const response = await ask();
    expect([response.status, await response.text()]).toEqual([status, '{"a": 1}']);
  },
);

test.each([600, 999])('an answer with the status %s is one of a broken server', async (status) => {
  site.cluster.answer = (response) => void response.writeHead(status).end();
  const response = await ask();
  const { error }: ErrorBody = JSON.parse(await response.text());
  expect([response.status, error.code]).toEqual([502, 'upstream_invalid']);
});

test('a reason that is no text does not matter', async () => {
  site.cluster.answer = ({ socket }) =>
    void socket?.end('HTTP/1.1 200 a\x01\r\naccess-control-allow-origin: *\r\n\r\n{}');
  const response = await ask();
  expect([response.status, response.statusText, await response.text()]).toEqual([200, '', '{}']);
});
