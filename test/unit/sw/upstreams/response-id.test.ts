import { expect, test } from 'vitest';
import { tellingId } from '../../../../sw/upstreams/response-id.ts';

function streamOf(pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/** The ids that are found in an answer that arrives in these pieces, and the answer. */
async function found(...pieces: string[]): Promise<[ids: string[], answer: string]> {
  const ids: string[] = [];
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  const body = tellingId(streamOf(bytes), (id) => ids.push(id));
  return [ids, await new Response(body).text()];
}

test.for([
  [['{"id":"resp_1","output":[{"id":"msg_2"},{"id":"resp_3"}]}']],
  [['event: response.created\ndata: {"response":{"i', 'd": "resp', '_1"}}\n\n', '"id":"resp_2"']],
  [
    [
      String.raw`{"instructions":"\"id\":\"resp_x\"","previous_response_id":"resp_0",`,
      '"id":"resp_1"}',
    ],
  ],
] as const)('the first id is told once: %o', async ([pieces]) => {
  expect(await found(...pieces)).toEqual([['resp_1'], pieces.join('')]);
});

test('an answer without an id is passed on, too', async () => {
  const [ids, answer] = await found('{"output":"ü', '"}', 'x'.repeat(70_000), '"id":"resp_1"');
  expect(ids).toEqual([]);
  expect(answer).toHaveLength(70_000 + '{"output":"ü"}"id":"resp_1"'.length);
});
