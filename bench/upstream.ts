import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import {
  openUpstream,
  sendJson,
  type UpstreamServer,
} from '../test/support/servers/upstream-server.ts';
import { onBareHost, pageOn } from './bare-host.ts';
import { call, withBrowser } from './browser.ts';
import { measured, type Reading } from './figures.ts';
import type { UpstreamSide } from './page/ask-upstream.ts';
import { measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import type { RawPage } from './raw-browser.ts';
import type { Launch } from './section.ts';

const MODEL = 'bench/upstream';
/** The model of an upstream whose headers never change. */
const CONSTANT_MODEL = 'bench/constant';
const TOKEN = 'of-the-upstream';
/** Events of a stream. */
const EVENTS = 200;
/** Milliseconds between two events, about the pace of a fast engine's tokens. */
const GAP_MS = 5;

const askedSchema = v.object({ stream: v.boolean() });

/**
 * The time that the service worker adds to a request that it forwards to an upstream on this machine, and to each event
 * of a stream. For comparison: the time that a minimal service worker adds, which is the browser's own overhead.
 */
export async function upstream({ origin, isSwapped, pairs }: Launch): Promise<Reading[]> {
  const server = await openUpstream([MODEL, CONSTANT_MODEL]);
  server.answer = (response, { body }) =>
    v.parse(askedSchema, JSON.parse(body.toString())).stream
      ? stream(response)
      : sendJson(response, { choices: [] });
  try {
    return await withBrowser(async (browser) => {
      const page = await browser.open(`${origin}/slashv1/v1.html`);
      // Pages of another origin have no service worker, not even one that lets requests pass.
      const without = await browser.open(pageOn(origin, 'localhost'));
      const bare = await onBareHost(browser, origin);
      const sides = await sidesOf(page, server);
      const request = {
        v1: () => number(page, 'bench.timeRequest', sides.v1),
        direct: () => number(without, 'bench.timeRequest', sides.direct),
      };
      const constantRequest = {
        v1: () => number(page, 'bench.timeRequest', { ...sides.v1, model: CONSTANT_MODEL }),
        direct: request.direct,
      };
      const bareRequest = {
        v1: () => number(bare, 'bench.timeRequest', sides.direct),
        direct: request.direct,
      };
      const delay = {
        v1: () => number(page, 'bench.chunkDelay', sides.v1),
        direct: () => number(page, 'bench.chunkDelay', sides.direct),
      };
      // The first pairs of each kind of request are a warm-up.
      await measurePairs(4, request, isSwapped);
      const requests = await measurePairs(pairs ?? 40, request, isSwapped);
      await measurePairs(4, constantRequest, isSwapped);
      const constantRequests = await measurePairs(pairs ?? 40, constantRequest, isSwapped);
      await measurePairs(4, bareRequest, isSwapped);
      const bareRequests = await measurePairs(pairs ?? 40, bareRequest, isSwapped);
      const delays = await measurePairs(pairs ?? 8, delay, isSwapped);
      const { v1, direct } = mediansBySide(requests, (ms) => ms);
      const added = (each: BySide<number>) => each.v1 - each.direct;
      return [
        measured('upstream.request_added_ms', medianOfPairs(requests, added)),
        measured('upstream.constant_request_added_ms', medianOfPairs(constantRequests, added)),
        measured('upstream.bare_request_added_ms', medianOfPairs(bareRequests, added)),
        measured('upstream.request_v1_ms', v1),
        measured('upstream.request_direct_ms', direct),
        measured('upstream.chunk_added_ms', medianOfPairs(delays, added)),
      ];
    });
  } finally {
    await server.close();
  }
}

async function sidesOf(page: RawPage, { baseURL }: UpstreamServer): Promise<BySide<UpstreamSide>> {
  const given = { baseURL, model: MODEL, constantModel: CONSTANT_MODEL, token: TOKEN };
  const access = await page.evaluate(call('bench.startUpstream', given));
  const own = v.parse(v.object({ baseURL: v.string(), apiKey: v.string() }), access);
  return {
    v1: { ...own, model: MODEL },
    direct: { baseURL, apiKey: TOKEN, model: MODEL },
  };
}

async function number(page: RawPage, measure: string, side: UpstreamSide): Promise<number> {
  return v.parse(v.number(), await page.evaluate(call(measure, side)));
}

/** Each event says when it was sent. */
async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let sent = 0; sent < EVENTS && !response.destroyed; sent++) {
    response.write(`data: ${JSON.stringify({ sent: performance.now() })}\n\n`);
    await pause(GAP_MS);
  }
  response.end('data: [DONE]\n\n');
}
