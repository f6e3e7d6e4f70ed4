import { beforeEach, describe, expect, test, vi } from 'vitest';
import { OpenAnswers } from '../../../../sw/worker/open-answers.ts';

const onFirst = vi.fn<() => void>();
const onLast = vi.fn<() => void>();

beforeEach(() => vi.resetAllMocks());

/** An answer whose body the test writes. */
function answer(): { response: Promise<Response>; body: ReadableStreamDefaultController } {
  let body: ReadableStreamDefaultController | undefined;
  const stream = new ReadableStream({ start: (controller) => void (body = controller) });
  if (!body) throw new Error('The stream has not started.');
  return { response: Promise.resolve(new Response(stream, { status: 201 })), body };
}

describe('open answers', () => {
  test('are open from the request until the last byte is read', async () => {
    const answers = new OpenAnswers({ onFirst, onLast });
    const { response, body } = answer();
    const tracked = answers.track(response);
    expect(answers.areOpen).toBe(true);
    expect(onFirst).toHaveBeenCalledOnce();
    const { status, body: stream } = await tracked;
    expect(status).toBe(201);
    body.enqueue(new TextEncoder().encode('all'));
    body.close();
    const reader = stream?.getReader();
    await reader?.read();
    // The end has not been read yet.
    expect(onLast).not.toHaveBeenCalled();
    expect((await reader?.read())?.done).toBe(true);
    expect(answers.areOpen).toBe(false);
    expect(onLast).toHaveBeenCalledOnce();
  });

  test('a body is not read before its reader asks', async () => {
    const pull = vi.fn<() => void>();
    const source = new ReadableStream({ pull }, { highWaterMark: 0 });
    await new OpenAnswers({ onFirst, onLast }).track(Promise.resolve(new Response(source)));
    await new Promise((resolve) => setTimeout(resolve));
    expect(pull).not.toHaveBeenCalled();
  });

  test.each<[string, (body: ReadableStreamDefaultController, tracked: Response) => unknown]>([
    ['nobody wants the rest', (_body, tracked) => tracked.body?.cancel()],
    ['it breaks, read or not', (body) => body.error(new Error('broken'))],
  ])('an answer is over when %s', async (_how, end) => {
    const answers = new OpenAnswers({ onFirst, onLast });
    const { response, body } = answer();
    const tracked = await answers.track(response);
    await end(body, tracked);
    await vi.waitFor(() => expect(onLast).toHaveBeenCalledOnce());
    expect(answers.areOpen).toBe(false);
  });

  test('a cancel reaches the body', async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    const source = new Response(new ReadableStream({ cancel }));
    const tracked = await new OpenAnswers({ onFirst, onLast }).track(Promise.resolve(source));
    await tracked.body?.cancel('enough');
    expect(cancel).toHaveBeenCalledWith('enough');
  });

  test('of several answers, only the first and the last are reported', async () => {
    const answers = new OpenAnswers({ onFirst, onLast });
    const empty = () => Promise.resolve(new Response(null, { status: 204 }));
    const [one] = await Promise.all([answers.track(answer().response), answers.track(empty())]);
    expect(onFirst).toHaveBeenCalledOnce();
    expect(onLast).not.toHaveBeenCalled();
    await one.body?.cancel();
    expect(onLast).toHaveBeenCalledOnce();
    await expect(answers.track(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(onLast).toHaveBeenCalledTimes(2);
  });
});
