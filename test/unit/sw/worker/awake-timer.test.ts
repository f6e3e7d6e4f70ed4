import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AwakeTimer } from '../../../../sw/worker/awake-timer.ts';

let areOpen = false;
const onLong = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  vi.resetAllMocks();
});

afterEach(() => {
  areOpen = false;
  vi.useRealTimers();
});

function open(): AwakeTimer {
  return new AwakeTimer(() => areOpen, onLong);
}

/** An answer that takes this long, milliseconds. */
function answer(timer: AwakeTimer, ms: number): void {
  areOpen = true;
  timer.begin();
  vi.advanceTimersByTime(ms);
  areOpen = false;
}

test('tells once of an answer that takes long', () => {
  answer(open(), 60_000);
  expect(onLong).toHaveBeenCalledOnce();
});

test('many short answers share one timer, and nothing is told of them', () => {
  const timer = open();
  for (let n = 0; n < 1_000; n++) {
    answer(timer, 10);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  }
  expect(onLong).not.toHaveBeenCalled();
});

test('the timer ends when nothing is answered', () => {
  answer(open(), 10);
  vi.runAllTimers();
  expect(vi.getTimerCount()).toBe(0);
  expect(onLong).not.toHaveBeenCalled();
});

test('an answer that begins while the timer runs is long only after its own time', () => {
  const timer = open();
  answer(timer, 10);
  vi.advanceTimersByTime(1_500);
  areOpen = true;
  timer.begin();
  vi.advanceTimersByTime(1_900);
  expect(onLong).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(onLong).toHaveBeenCalledOnce();
});
