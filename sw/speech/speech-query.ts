/** The names are those of a POST's body. */
const TEXTS = ['model', 'input', 'voice', 'response_format', 'lang_code'] as const;

/** The speech request in a URL's query. It is validated as a body is. */
export function speechQuery({ searchParams }: URL): Record<string, string | number> {
  const query: Record<string, string | number> = {};
  for (const name of TEXTS) {
    const value = searchParams.get(name);
    if (value !== null) query[name] = value;
  }
  const speed = searchParams.get('speed');
  return speed === null ? query : { ...query, speed: Number(speed) };
}
