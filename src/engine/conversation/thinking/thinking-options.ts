import { BUDGET, LEVELS } from './read-switch.ts';
import type { ThinkingFormat } from './thinking-format.ts';

type Options = Record<string, unknown>;

/**
 * The variables of a template, with what a request says about thinking in the template's own words: the API and most
 * clients say `enable_thinking` and `reasoning_effort`.
 *
 * @param budget - most tokens of a thought
 */
export function thinkingOptions(
  options: Options,
  format: ThinkingFormat | undefined,
  budget?: number,
): Options {
  if (!format) return options;
  const { toggle, effort, takesBudget } = format;
  const { enable_thinking: wants, reasoning_effort: asked } = options;
  const told: Options = { ...options };
  if (effort && typeof asked === 'string') {
    const isOwn = options[effort.name] !== undefined && effort.name !== 'reasoning_effort';
    if (!isOwn) told[effort.name] = nearest(asked, effort.values);
  }
  if (takesBudget && budget !== undefined) told[BUDGET] ??= budget;
  if (!toggle || typeof wants !== 'boolean' || toggle.name === 'enable_thinking') return told;
  // A variable that says how much to think as well may have a value that says more than "on".
  if (toggle.name === effort?.name || toggle.name === BUDGET) {
    const isOff = told[toggle.name] === undefined || told[toggle.name] === toggle.off;
    if (!wants || isOff) told[toggle.name] = wants ? toggle.on : toggle.off;
  } else told[toggle.name] ??= wants ? toggle.on : toggle.off;
  return told;
}

/** Whether a template with these variables lets the model think. */
export function isOn(options: Options, { toggle, byDefault }: ThinkingFormat): boolean {
  const value = toggle && options[toggle.name];
  return value === undefined ? byDefault !== 'off' : value !== toggle?.off;
}

/** The value for a level: the same, or the next higher one, or the highest. A word of the template's own stays. */
function nearest(level: string, values: readonly string[]): string {
  const place = LEVELS.indexOf(level);
  if (place < 0 || values.includes(level)) return level;
  return values.find((each) => LEVELS.indexOf(each) > place) ?? values.at(-1) ?? level;
}
