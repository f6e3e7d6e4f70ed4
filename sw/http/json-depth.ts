/** Values that are nested deeper can be neither sent to the engine nor rendered. */
const MAX_LEVELS = 200;

export function isTooDeep(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isTooDeep(child, levels - 1));
}
