/** Names as in the body of a POST. */
const TEXTS = ['model', 'input', 'voice', 'response_format', 'lang_code'] as const;

/** The speech request that a URL's query carries, to be validated as a body is. */
export function speechQuery({ searchParams }: URL): Record<string, string | number> {
  const query: Record<string, string | number> = {};
  for (const name of TEXTS) {
    const value = searchParams.get(name);
    if (value !== null) query[name] = value;
  }
  const speed = searchParams.get('speed');
  return speed === null ? query : { ...query, speed: Number(speed) };
}
