/** How many elements, or UTF-16 units, two lists or texts begin with alike. */
export function commonLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}
