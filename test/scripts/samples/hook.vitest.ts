import { beforeAll, test } from 'vitest';

beforeAll(() => {
  throw new Error('no server');
});

test('is not set up', () => undefined);
