import { expect, test } from 'vitest';
import { readServers } from '../../../../src/page/worker/mcp-servers.ts';

test('servers are URLs, without a query', () => {
  const servers = ['https://mcp.example', new URL('http://localhost:3000/mcp?a=b#c')];
  expect(readServers({ servers })).toEqual(['https://mcp.example/', 'http://localhost:3000/mcp']);
});

test.each([
  [true, 'mcp.servers must be a list of URLs.'],
  [{}, 'mcp.servers must be a list of URLs.'],
  [{ servers: 'https://mcp.example' }, 'mcp.servers must be a list of URLs.'],
  [{ servers: ['/mcp'] }, 'mcp.servers[0] must be an absolute URL of http or https'],
  [{ servers: ['https://a.example', 'ws://b.example'] }, 'mcp.servers[1] must be'],
  [{ servers: ['https://me@a.example'] }, 'mcp.servers[0] must be'],
])('%j is refused', (mcp, message) => {
  expect(() => readServers(mcp)).toThrow(message);
});
