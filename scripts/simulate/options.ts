import { parseArgs } from 'node:util';
import type { Plan } from './sizing.ts';

/** Each option with its usual value; docs/scale.md describes them. */
const USUAL = {
  visitors: '1000000',
  requests: '5',
  'busiest-hour': '0.1',
  'device-share': '0.5',
  'device-context': '4096',
  slots: '64',
  prefill: '12000',
  'step-ms': '20',
  price: '2.5',
  wait: '1',
  spare: '1',
  seed: '1',
};

const MAY_BE_ZERO = ['device-share', 'price', 'spare', 'seed'];
const AT_MOST_ONE = ['busiest-hour', 'device-share'];
const WHOLE = ['slots', 'spare', 'seed'];

/** @throws Error that names the wrong option */
export function planOptions(args: string[]): Omit<Plan, 'recorded'> {
  const options = Object.fromEntries(
    Object.entries(USUAL).map(([name, value]) => [
      name,
      { type: 'string' as const, default: value },
    ]),
  );
  const { values } = parseArgs({ args, options });
  const number = (name: keyof typeof USUAL) => numberOf(name, String(values[name]));
  return {
    site: {
      visitors: number('visitors'),
      requests: number('requests'),
      busiestHour: number('busiest-hour'),
      deviceShare: number('device-share'),
      deviceContext: number('device-context'),
    },
    replica: {
      slots: number('slots'),
      prefill: number('prefill'),
      step: number('step-ms') / 1000,
      price: number('price'),
    },
    wait: number('wait'),
    spare: number('spare'),
    seed: number('seed'),
  };
}

function numberOf(name: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const isHigh = !Number.isFinite(value) || (AT_MOST_ONE.includes(name) && value > 1);
  const isLow = MAY_BE_ZERO.includes(name) ? value < 0 : value <= 0;
  const isBroken = WHOLE.includes(name) && !Number.isInteger(value);
  if (!isHigh && !isLow && !isBroken) return value;
  const kind = WHOLE.includes(name) ? 'whole number' : 'number';
  const most = AT_MOST_ONE.includes(name) ? ' and at most 1' : '';
  const least = MAY_BE_ZERO.includes(name) ? 'at least 0' : 'above 0';
  throw new Error(`--${name} ${text}: it must be a ${kind}, ${least}${most}.`);
}
