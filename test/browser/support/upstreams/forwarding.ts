import type { Page } from 'playwright/test';
import { openUpstream, type UpstreamServer } from '../../../support/servers/upstream-server.ts';
import { openPage, test as base, type TestSite } from '../fixtures.ts';
import { serveTestSite } from '../site.ts';

/** The only model of the cluster. */
export const BIG = 'meta-llama/Llama-3.3-70B-Instruct';

/** A page of a site of its own, and a cluster that answers every request with the stream of a chat. */
export const test = base.extend<{ cluster: UpstreamServer; ownSite: TestSite; page: Page }>({
  cluster: async ({}, use) => {
    const cluster = await openUpstream([BIG]);
    cluster.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = (content: string) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
      response.write(event('From '));
      response.end(`${event('afar.')}data: [DONE]\n\n`);
    };
    await use(cluster);
    await cluster.close();
  },
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat'])));
  },
  page: async ({ undebugged, ownSite }, use) => {
    await use(await openPage(undebugged, ownSite.url));
  },
});
