/** The two parts of an option such as `cluster=https://llm.example.org/v1`; undefined if one is missing. */
export function namedOption(text: string): { name: string; value: string } | undefined {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}
