import { cardinal } from './number-words.ts';
import type { Form } from './written-texts.ts';

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const small = (count: number) => SUBSCRIPTS.charAt(count);
const high = (count: number) => SUPERSCRIPTS.charAt(count);
/** A letter of each symbol is said. */
const spelled = (symbol: string) => Array.from(symbol.toUpperCase()).join('.');

/** Elements and their counts; 1 is not written. */
const FORMULAS: [symbol: string, count: number][][] = [
  [
    ['H', 2],
    ['S', 1],
    ['O', 4],
  ],
  [
    ['S', 1],
    ['O', 2],
  ],
  [
    ['N', 1],
    ['O', 2],
  ],
  [
    ['C', 1],
    ['H', 4],
  ],
  [
    ['N', 1],
    ['H', 3],
  ],
  [
    ['Fe', 2],
    ['O', 3],
  ],
  [
    ['Ca', 1],
    ['C', 1],
    ['O', 3],
  ],
  [
    ['Na', 1],
    ['H', 1],
    ['C', 1],
    ['O', 3],
  ],
  [
    ['K', 1],
    ['N', 1],
    ['O', 3],
  ],
  [
    ['Al', 2],
    ['O', 3],
  ],
];
const IONS: [symbol: string, charge: number][] = [
  ['H', 1],
  ['Na', 1],
  ['K', 1],
  ['Ca', 2],
  ['Mg', 2],
  ['Fe', 3],
  ['Cu', 2],
  ['Cl', -1],
  ['F', -1],
  ['O', -2],
];

/** Forms with signs of their own, by kind. */
export const SYMBOL_FORMS: Record<string, Form[]> = {
  formulas: FORMULAS.flatMap((parts): Form[] => {
    const said = parts.map(([symbol, count], at) => {
      const isLast = at === parts.length - 1;
      if (count === 1) return spelled(symbol) + (isLast ? '' : '.');
      return `${spelled(symbol)} ${cardinal(count)}${isLast ? '' : ' '}`;
    });
    const written = (digit: (count: number) => string) =>
      parts.map(([symbol, count]) => symbol + (count === 1 ? '' : digit(count))).join('');
    return [
      [written(small), said.join('')],
      [written(String), said.join('')],
    ];
  }),
  ions: [
    ...IONS.map(([symbol, charge]): Form => {
      const count = Math.abs(charge);
      const [sign, word] = charge > 0 ? ['⁺', 'plus'] : ['⁻', 'minus'];
      return count === 1
        ? [`${symbol}${sign}`, `${spelled(symbol)} ${word}`]
        : [`${symbol}${high(count)}${sign}`, `${spelled(symbol)} ${cardinal(count)} ${word}`];
    }),
    ['SO₄²⁻', 'S.O four two minus'],
    ['NH₄⁺', 'N.H four plus'],
    ['Mg(OH)₂', 'M.G.O.H two'],
  ],
  'parts of amounts': [
    ...(['½', '1/2'] as const).flatMap((part): Form[] => [
      [`$${part}`, 'half a dollar'],
      [`€${part} million`, 'half a million euros'],
      [`£${part} billion`, 'half a billion pounds'],
    ]),
    ...(['¾', '3/4'] as const).flatMap((part): Form[] => [
      [`$${part}`, 'three quarters of a dollar'],
      [`$${part} trillion`, 'three quarters of a trillion dollars'],
    ]),
    ['$¼ million', 'a quarter of a million dollars'],
    ['€⅓', 'a third of a euro'],
    ['$1½ million', 'one point five million dollars'],
    ['£2¾', 'two pounds and seventy-five pence'],
  ],
  ratings: [
    ...[1, 4, 7].flatMap((value): Form[] => [
      [`${value}/10 stars`, `${cardinal(value)} out of ten stars`],
      [`${value}/10 points`, `${cardinal(value)} out of ten points`],
      [`a solid ${value}/10`, `a solid ${cardinal(value)} out of ten`],
    ]),
    ['4.5/5 stars', 'four point five out of five stars'],
    ['4.5★', 'four point five stars'],
    ...[1, 2, 3, 4].map((full): Form => [
      '★'.repeat(full) + '☆'.repeat(5 - full),
      `${cardinal(full)} out of five stars`,
    ]),
  ],
  arrows: [
    ...['→', '⟶', '->', '-->'].flatMap((arrow): Form[] => [
      [`A ${arrow} B`, 'A to B'],
      [`from 3 ${arrow} 5`, 'from three to five'],
    ]),
    ['x => y', 'x to y'],
    ['p ⇒ q', 'p implies q'],
    ['p ⇔ q', 'p if and only if q'],
    ['↑ 5%', 'up five percent'],
    ['↓3', 'down three'],
  ],
  keys: [
    ['Ctrl+C', 'Control plus C'],
    ['Ctrl+Shift+P', 'Control plus Shift plus P'],
    ['Cmd+Option+Esc', 'Command plus Option plus Escape'],
    ['⌘C', 'Command C'],
    ['⌘⇧P', 'Command Shift P'],
    ['⌥⌘I', 'Option Command I'],
  ],
  mathematics: [
    ['∛27', 'cube root of twenty-seven'],
    ['A ∪ B', 'A union B'],
    ['A ∩ B', 'A intersection B'],
    ['p ∧ q', 'p and q'],
    ['x ∉ A', 'x not in A'],
    ['xⁿ', 'x to the power of n'],
    ['6.02 x 10^23', 'six point zero two times ten to the power of twenty-three'],
    ['1:10,000', 'one to ten thousand'],
  ],
  'units and figures': [
    ['2 kΩ', 'two kilohms'],
    ['5 N·m', 'five newton meters'],
    ['1 in²', 'one square inch'],
    ['3 in²', 'three square inches'],
    ['500 kbit/s', 'five hundred kilobits per second'],
    ['3 Gbit/s', 'three gigabits per second'],
    ['a temperature of 300 K', 'a temperature of three hundred kelvin'],
    ['a 5k run', 'a five K run'],
    ['Rs. 500', 'five hundred rupees'],
    ['ca. 1900', 'circa nineteen hundred'],
    ['(b. 1950)', '(born nineteen fifty)'],
    ['© 2024', 'copyright twenty twenty-four'],
    ['#2024goals', 'hashtag twenty twenty-four goals'],
    ['p. xii', 'page twelve'],
    ['Part iv', 'Part four'],
    ['call 911', 'call nine one one'],
    ["the class of '99", 'the class of ninety-nine'],
    ["'05", 'oh five'],
    ['localhost:3000', 'localhost colon three thousand'],
    ['10.0.0.0/8', 'ten dot zero dot zero dot zero slash eight'],
  ],
};
