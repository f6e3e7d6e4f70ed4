import { expect, test } from 'vitest';
import type { ResponseBody } from '../../../../sw/responses/response-body.ts';
import { WrittenResponses } from '../../../../sw/responses/written-responses.ts';

const body = (id: string) => ({ id }) as ResponseBody;

test('of the answers that have ended, the newest 16 keep their events; one that is being written keeps them', () => {
  const all = new WrittenResponses();
  all.begin('key', body('unfinished'));
  for (let index = 0; index < 20; index++) all.begin('key', body(`ended-${index}`)).end();
  const found = (id: string) => all.find('key', id) !== undefined;
  expect(found('unfinished')).toBe(true);
  expect(found('ended-3')).toBe(false);
  expect(found('ended-4')).toBe(true);
  expect(all.findUnfinished('key', 'ended-19')).toBeUndefined();
  expect(all.findUnfinished('key', 'unfinished')).toBeDefined();
});
