import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withProcessLock } from '../../../../../src/node/pack/writing/process-lock.ts';

const MODULE = fileURLToPath(
  new URL('../../../../../src/node/pack/writing/process-lock.ts', import.meta.url),
);

const uniqueName = () => `test ${process.pid} ${Math.random()}`;

test('the second waits until the first is done', async () => {
  const name = uniqueName();
  const order: string[] = [];
  const waits = Promise.withResolvers<void>();
  const work = (who: string) => {
    const onWait = () => {
      order.push(`${who} waits`);
      waits.resolve();
    };
    return withProcessLock(name, onWait, async () => {
      order.push(`${who} begins`);
      await waits.promise;
      order.push(`${who} ends`);
    });
  };
  await Promise.all([work('a'), work('b')]);
  const [first, second] = order[0] === 'a begins' ? ['a', 'b'] : ['b', 'a'];
  expect(order).toEqual([
    ...[`${first} begins`, `${second} waits`, `${first} ends`],
    ...[`${second} begins`, `${second} ends`],
  ]);
});

test('failed work releases the lock, and its error is passed on', async () => {
  const name = uniqueName();
  const fail = () => Promise.reject(new Error('boom'));
  await expect(withProcessLock(name, () => {}, fail)).rejects.toThrow('boom');
  expect(
    await withProcessLock(
      name,
      () => {},
      async () => 'ok',
    ),
  ).toBe('ok');
});

test('a lock of a killed process is taken over', async () => {
  const name = uniqueName();
  const script = `
    import { withProcessLock } from ${JSON.stringify(MODULE)};
    await withProcessLock(${JSON.stringify(name)}, () => {}, () => new Promise(() => console.log('held')));
  `;
  const args = ['--input-type=module', '--experimental-strip-types', '--eval', script];
  const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  let waited = false;
  const work = withProcessLock(
    name,
    () => {
      waited = true;
      holder.kill('SIGKILL');
    },
    async () => 'taken over',
  );
  expect(await work).toBe('taken over');
  expect(waited).toBe(true);
});
