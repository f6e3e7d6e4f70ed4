/** Functions, each of which is found when it is called: their code is fetched then. */
export function onDemand<T extends { [Name in keyof T]: (...given: never[]) => Promise<unknown> }>(
  load: () => Promise<T>,
  names: readonly (keyof T)[],
): T {
  const find =
    (name: keyof T) =>
    async (...given: never[]) =>
      (await load())[name](...given);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries knows no single names
  return Object.fromEntries(names.map((name) => [name, find(name)])) as T;
}
