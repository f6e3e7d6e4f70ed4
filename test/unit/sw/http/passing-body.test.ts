import { expect, test, vi } from 'vitest';
import { passing } from '../../../../sw/http/passing-body.ts';

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

function bodyOf(...texts: string[]): Body {
  const body = new Response(texts.join('')).body;
  if (!body) throw new Error('There is no body.');
  return body;
}

test('what is done at each end is done on one stream, also through responses', async () => {
  const ends = [vi.fn<() => void>(), vi.fn<() => void>()];
  const [first, second] = ends.map((onEnd) => ({ onEnd }));
  const once = passing(bodyOf('all'), first ?? {});
  const { body } = new Response(once);
  const twice = passing(body ?? bodyOf(), second ?? {});
  expect(twice).toBe(once);
  expect(await new Response(twice).text()).toBe('all');
  for (const end of ends) expect(end).toHaveBeenCalledWith(false);
});

test('a body that must not end is an error for its reader, and over', async () => {
  const onEnd = vi.fn<() => void>();
  const onDone = () => {
    throw new Error('too early');
  };
  const body = passing(bodyOf('some'), { onDone, onEnd });
  await expect(new Response(body).text()).rejects.toThrow('too early');
  expect(onEnd).toHaveBeenCalledWith(false);
});

test('an error from outside ends the source, too', async () => {
  const cancel = vi.fn<(reason: unknown) => void>();
  const onEnd = vi.fn<() => void>();
  const late = new Error('late');
  const body = passing(new ReadableStream({ cancel }), {
    onEnd,
    onWanted: (fail) => queueMicrotask(() => fail(late)),
  });
  await expect(new Response(body).text()).rejects.toThrow('late');
  expect(cancel).toHaveBeenCalledWith(late);
  expect(onEnd).toHaveBeenCalledWith(false);
});
