/** A new id: the prefix and 32 hexadecimal digits. */
export function newId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll('-', '');
}

/** Now, in Unix seconds. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
