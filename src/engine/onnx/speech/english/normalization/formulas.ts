import { cardinal } from './numbers.ts';

const ELEMENTS = new Set(
  (
    'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr ' +
    'Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Nd Sm Eu Gd W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr ' +
    'Ra Ac Th Pa U Np Pu Am'
  ).split(' '),
);
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Elements with their counts, and the charge of an ion. */
const FORMULA =
  /(?<![\p{L}\d.])((?:\(?[A-Z][a-z]?(?:[₀-₉]+|\d+)?(?:\)(?:[₀-₉]+|\d))?)+)([⁰¹²³⁴⁵⁶⁷⁸⁹]*[⁺⁻])?(?![\p{L}\d₀-₉⁰¹²³⁴⁵⁶⁷⁸⁹])/gu;
const PART = /([A-Z][a-z]?)\)?([₀-₉]+|\d+)?/g;

/** Chemical formulas with their letters apart: `SO₄²⁻` → `S.O four two minus`. */
export function spellFormulas(text: string): string {
  return text.replace(FORMULA, (found, formula: string, charge: string | undefined) => {
    const parts = Array.from(formula.matchAll(PART), ([, symbol = '', count = '']) => ({
      symbol,
      count: plainDigits(count),
    }));
    if (!isFormula(formula, parts) && charge === undefined) return found;
    if (!parts.every(({ symbol }) => ELEMENTS.has(symbol))) return found;
    const words = parts.map(({ symbol, count }, at) => {
      const join = at > 0 && parts[at - 1]?.count === '' ? '.' : ' ';
      return join + Array.from(symbol.toUpperCase()).join('.') + (count && ` ${cardinal(count)}`);
    });
    return words.join('').trim() + chargeWords(charge ?? '');
  });
}

/** Whether counts tell that this is a formula: `B2B`, `H1N1` and `No2` are none. */
function isFormula(text: string, parts: readonly { symbol: string; count: string }[]): boolean {
  if (/[₀-₉]/.test(text)) return true;
  const symbols = parts.map(({ symbol }) => symbol);
  const counts = parts.map(({ count }) => count).filter(Boolean);
  return (
    parts.length > 1 &&
    counts.length > 0 &&
    counts.every((count) => /^[2-9]$|^[1-9]\d$/.test(count)) &&
    symbols.every((symbol, at) => !symbols.includes(symbol, at + 1) || /[a-z]|C|O/.test(symbol))
  );
}

function chargeWords(charge: string): string {
  if (charge === '') return '';
  const count = plainDigits(charge.slice(0, -1));
  return `${count && ` ${cardinal(count)}`} ${charge.endsWith('⁺') ? 'plus' : 'minus'}`;
}

function plainDigits(digits: string): string {
  return Array.from(digits, (digit) => {
    const at = Math.max(SUBSCRIPTS.indexOf(digit), SUPERSCRIPTS.indexOf(digit));
    return at < 0 ? digit : String(at);
  }).join('');
}
