import { expect, test } from 'vitest';
import { newTurn } from '../../../../src/engine/scheduling/turn.ts';

test('each of several that wait gets its turn, in their order', async () => {
  const turn = newTurn();
  const order: string[] = [];
  const wait = (name: string) => turn().then(() => order.push(name));
  await Promise.all([wait('cancelled'), wait('next')]);
  await wait('last');
  expect(order).toEqual(['cancelled', 'next', 'last']);
});
