/**
 * Indices of the largest values, largest first; equal values in order of their index. One pass with
 * a heap of that size: sorting a whole vocabulary takes ten times as long.
 */
export function largest(values: Float32Array, count: number): number[] {
  const heap: number[] = [];
  const isLess = (a: number, b: number) => {
    const [x, y] = [at(values, a), at(values, b)];
    return x < y || (x === y && a > b);
  };
  for (let place = 0; place < values.length; place++) {
    if (heap.length < count) {
      heap.push(place);
      siftUp(heap, isLess);
    } else if (count > 0 && at(values, place) > at(values, heap[0] ?? 0)) {
      heap[0] = place;
      siftDown(heap, isLess);
    }
  }
  return heap.sort((a, b) => (isLess(a, b) ? 1 : -1));
}

/** log Σ exp(x): subtracted from a logit, it gives the log-probability. */
export function logSumExp(values: Float32Array): number {
  const top = maximum(values);
  let sum = 0;
  for (let place = 0; place < values.length; place++) sum += Math.exp(at(values, place) - top);
  return top + Math.log(sum);
}

export function maximum(values: Float32Array): number {
  let top = -Infinity;
  for (let place = 0; place < values.length; place++) top = Math.max(top, at(values, place));
  return top;
}

/** Sets all values below the threshold to -Infinity, in place. */
export function maskBelow(values: Float32Array, threshold: number): void {
  for (let place = 0; place < values.length; place++) {
    if (at(values, place) < threshold) values[place] = -Infinity;
  }
}

export function at(values: Float32Array, place: number): number {
  return values[place] ?? -Infinity;
}

type IsLess = (a: number, b: number) => boolean;

/** The heap's root is its smallest value. */
function siftUp(heap: number[], isLess: IsLess): void {
  let child = heap.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!isLess(heap[child] ?? 0, heap[parent] ?? 0)) return;
    swap(heap, child, parent);
    child = parent;
  }
}

function siftDown(heap: number[], isLess: IsLess): void {
  let parent = 0;
  for (;;) {
    let least = parent;
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      if (child < heap.length && isLess(heap[child] ?? 0, heap[least] ?? 0)) least = child;
    }
    if (least === parent) return;
    swap(heap, parent, least);
    parent = least;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const value = heap[a] ?? 0;
  heap[a] = heap[b] ?? 0;
  heap[b] = value;
}
