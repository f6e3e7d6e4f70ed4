/** A path as the API's errors name it: `messages[0].content`. Empty: the body as a whole. */
export function fieldName(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, key) => text + (typeof key === 'number' ? `[${key}]` : `${text && '.'}${key}`),
    '',
  );
}
