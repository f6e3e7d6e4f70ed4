import { enforced, type Case } from '../../unit/core/grammar/cases/cases.ts';

const INTEGER_BOUNDS = [
  ...[
    [0, 0],
    [0, 9],
    [1, 10],
    [3, 120],
    [5, 5],
    [18, 99],
    [99, 101],
    [100, 1000],
    [7, 70_000],
  ],
  ...[
    [-5, 5],
    [-100, -10],
    [-1, 0],
    [-120, 7],
    [-9_007_199_254_740_991, 9_007_199_254_740_991],
  ],
  ...[
    [0, 4_294_967_295],
    [1900, 2100],
    [123, 456],
    [999, 1000],
    [-10, -10],
    [-2.5, 2.5],
  ],
] as [number, number][];

/** Integers at both bounds, next to them and halfway between. */
function near(min: number, max: number): number[] {
  const [low, high] = [Math.ceil(min), Math.floor(max)];
  const all = [low, high, Math.trunc((low + high) / 2), low + 1, high - 1];
  return all.filter((value) => value >= min && value <= max && Number.isSafeInteger(value));
}

/** Integers outside the bounds. */
function beyond(min: number, max: number): number[] {
  const all = [Math.ceil(min) - 1, Math.floor(max) + 1, Math.floor(max) * 10 + 10];
  return all.filter((value) => value < min || value > max);
}

const ranges = INTEGER_BOUNDS.flatMap(([minimum, maximum]) => [
  enforced({ type: 'integer', minimum, maximum }, near(minimum, maximum), [
    ...beyond(minimum, maximum),
    '1',
    null,
  ]),
  enforced({ type: 'integer', minimum }, near(minimum, minimum + 1000), [Math.ceil(minimum) - 1]),
  enforced({ type: 'integer', maximum }, near(maximum - 1000, maximum), [Math.floor(maximum) + 1]),
]);

const DECIMAL_BOUNDS = [
  ...[
    [0, 1],
    [0.5, 12.25],
    [-1.5, 1],
    [-0.001, 0.001],
    [3, 3.0001],
    [0.1, 0.3],
    [1e-7, 1],
  ],
  ...[
    [-273.15, 1000],
    [-20, -0.5],
    [98.6, 104],
    [0, 1e15],
    [0.30000000000000004, 0.5],
    [-90, 90],
  ],
] as [number, number][];

const decimals = DECIMAL_BOUNDS.flatMap(([minimum, maximum]) => {
  const middle = Number(((minimum + maximum) / 2).toPrecision(6));
  const between = middle > minimum && middle < maximum && middle < 1e15 ? [middle] : [];
  const ends = [minimum, maximum].filter((value) => value < 1e15 && Math.abs(value) > 1e-6);
  return [
    enforced(
      { type: 'number', minimum, maximum },
      [...between, ...ends.filter(isShort)],
      [minimum - 1, maximum * 2 + 1],
    ),
    enforced({ type: 'number', minimum }, between, [minimum - 0.5]),
    enforced({ type: 'number', maximum }, between.filter(isShort), [maximum + 0.5 + maximum / 2]),
    enforced({ type: 'number', exclusiveMinimum: minimum, exclusiveMaximum: maximum }, between, [
      ...ends,
    ]),
  ];
});

/** Whether a number has few digits, like numbers that people write. */
function isShort(value: number): boolean {
  return String(value).length < 12;
}

const others = [
  enforced({ type: 'integer' }, [0, 1, -1, 42, 9_007_199_254_740_991], [1.5, '1', null]),
  enforced({ type: 'number' }, [0, -0.5, 1e21, 1.5e-7, 2.71, 123_456_789], ['1', true]),
  enforced({ type: 'integer', exclusiveMinimum: 0 }, [1, 99], [0, -1]),
  enforced({ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 3 }, [1, 2], [0, 3]),
  enforced({ type: 'integer', minimum: 3, exclusiveMinimum: 3 }, [4], [3]),
  enforced({ type: 'integer', minimum: 3, exclusiveMinimum: 5 }, [6], [3, 5]),
  enforced({ type: 'integer', minimum: 0.5, maximum: 2.5 }, [1, 2], [0, 3]),
  enforced({ type: 'integer', exclusiveMinimum: 0.5 }, [1], [0]),
  enforced({ type: 'number', exclusiveMinimum: 0 }, [0.001, 5], [0, -1]),
  enforced({ type: 'number', exclusiveMaximum: 0 }, [-0.001, -5], [0, 1]),
  enforced({ type: 'number', minimum: 2, exclusiveMaximum: 2.5 }, [2, 2.25], [2.5, 1.9]),
  enforced({ type: ['integer', 'null'], minimum: 1 }, [1, null], [0]),
  enforced({ type: ['number', 'integer'], maximum: 1 }, [0.5, 1], [1.5]),
  enforced({ minimum: 1, maximum: 2 }, [1, 1.5], [3]),
  enforced({ type: 'number', multipleOf: 1 }, [1, 20], [1.5]),
  enforced({ type: 'integer', multipleOf: 5, minimum: 0, maximum: 100 }, [0, 5, 100], [7, 105]),
  enforced({ type: 'number', multipleOf: 0.5, minimum: 0, maximum: 2 }, [0, 0.5, 2], [0.3]),
  enforced({ type: 'number', multipleOf: 0.01, minimum: 0, maximum: 1 }, [0.25, 1], [0.123]),
  enforced({ type: 'integer', multipleOf: 100 }, [0, 100, -1200], [10, 150]),
  enforced({ type: 'integer', multipleOf: 6, minimum: 1, maximum: 20 }, [6, 18], [7, 24]),
  enforced({ type: 'integer', format: 'int32' }, [2_147_483_647, -2_147_483_648], [2_147_483_648]),
  enforced({ type: 'integer', format: 'int64' }, [1], [1.5]),
  enforced({ type: 'number', format: 'double' }, [1.5], ['x']),
  enforced({ type: 'integer', minimum: 1e16 }, [], [1]),
];

export const NUMBER_CASES: Case[] = [...ranges, ...decimals, ...others];
