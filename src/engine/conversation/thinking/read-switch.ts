import type { ProbedThoughts } from './probed-thoughts.ts';
import type { ThinkingFormat, ThinkingSwitch } from './thinking-format.ts';

/** The variables with which templates turn thinking on and off. */
const SWITCHES: readonly ThinkingSwitch[] = [
  { name: 'enable_thinking', on: true, off: false },
  { name: 'thinking', on: true, off: false },
  { name: 'thinking_mode', on: 'enabled', off: 'disabled' },
  { name: 'reasoning', on: true, off: false },
];

/** The variables with which templates are told how much to think. */
const EFFORTS = ['reasoning_effort', 'thinking_effort', 'reasoning_strength'];
/** Most tokens of a thought; -1: any number. */
export const BUDGET = 'thinking_budget';
const ANY = 'qanyq';
/** The values of the API and of templates, the least first. */
export const LEVELS = ['none', 'no_think', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The variable that turns thinking on and off; undefined: none does. */
export function readSwitch(probes: ProbedThoughts, source: string): ThinkingSwitch | undefined {
  const found = SWITCHES.find(
    ({ name, on, off }) =>
      source.includes(name) && differs(probes.asked({ [name]: on }), probes.asked({ [name]: off })),
  );
  if (found) return found;
  // A budget of 0 tokens, or a low effort, may begin the answer after an empty thought.
  const budget = { name: BUDGET, on: -1, off: 0 };
  if (source.includes(BUDGET) && isOff(probes, budget)) return budget;
  const levels = EFFORTS.filter((name) => source.includes(name)).flatMap((name) =>
    LEVELS.map((off) => ({ name, on: 'high', off })),
  );
  return levels.find((each) => isOff(probes, each));
}

function isOff(probes: ProbedThoughts, { name, on, off }: ThinkingSwitch): boolean {
  const [one, other] = [{ [name]: on }, { [name]: off }];
  return (
    differs(probes.asked(one), probes.asked(other)) && probes.begun(one) !== probes.begun(other)
  );
}

function differs(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** The variable with which a request says how much to think, and its values. Undefined: the template has no such variable. */
export function readEffort(
  probes: ProbedThoughts,
  source: string,
  toggle: ThinkingSwitch | undefined,
): ThinkingFormat['effort'] {
  const on = toggle && { [toggle.name]: toggle.on };
  const prompt = (name: string, level: string) => probes.asked({ ...on, [name]: level });
  for (const name of EFFORTS.filter((each) => source.includes(each))) {
    // Models whose templates write any value down were trained on three.
    const other = prompt(name, ANY);
    if (other?.includes(ANY)) return { name, values: ['low', 'medium', 'high'] };
    const told = LEVELS.map((level) => prompt(name, level));
    if (new Set(told).size === 1) continue;
    return { name, values: other === undefined ? LEVELS.filter((_, at) => told[at]) : [] };
  }
  return undefined;
}

/** Whether the most tokens of a thought can be told. */
export function takesBudget(probes: ProbedThoughts, source: string): boolean {
  return source.includes(BUDGET) && probes.asked() !== probes.asked({ [BUDGET]: 512 });
}
