import { cardinal, decimal, plural } from './numbers.ts';
import { PER_UNIT, perUnit } from './units.ts';

const NUMBER = String.raw`\d+(?:,\d{3})*(?:\.\d+)?|\.\d+`;
const SCALE = String.raw`(?: ?(thousand|million|billion|trillion|[kKmMbB](?:n|illion)?|[tT]r?n)\b)?`;
const SCALES: Record<string, string> = { k: 'thousand', m: 'million', b: 'billion', t: 'trillion' };

/** A currency's names and those of its hundredth, singular and plural. */
type Currency = [one: string, many: string, cent?: string, cents?: string];

const SIGNS: Record<string, Currency> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  '€': ['euro', 'euros', 'cent', 'cents'],
  '£': ['pound', 'pounds', 'penny', 'pence'],
  '¥': ['yen', 'yen'],
  '₹': ['rupee', 'rupees'],
  '₩': ['won', 'won'],
  '₽': ['ruble', 'rubles'],
  '₺': ['lira', 'lira'],
  '₪': ['shekel', 'shekels'],
  '₫': ['dong', 'dong'],
  '₴': ['hryvnia', 'hryvnias'],
  '₦': ['naira', 'naira'],
  '₱': ['peso', 'pesos'],
  '₿': ['bitcoin', 'bitcoins'],
  '฿': ['baht', 'baht'],
  '¢': ['cent', 'cents'],
};

/** Signs of one country → ISO 4217. */
const COUNTRY_SIGNS: Record<string, string> = {
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  AU$: 'AUD',
  A$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  SG$: 'SGD',
  S$: 'SGD',
  NT$: 'TWD',
  MX$: 'MXN',
  R$: 'BRL',
  'CN¥': 'CNY',
  'JP¥': 'JPY',
};
/** The codes in wide use that are no English words. */
const CODES =
  'USD|EUR|GBP|JPY|CNY|CHF|CAD|AUD|NZD|INR|KRW|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|SGD|HKD|TWD|ILS|THB|RUB';
const SIGN = `[${Object.keys(SIGNS).join('')}]`;
const CODE = String.raw`(?<![\p{L}\d])(?:${CODES})(?![\p{L}])`;
const COUNTRY_SIGN = Object.keys(COUNTRY_SIGNS)
  // `A $5 bill` has an article, but `US $5` has a country.
  .map((sign) => `(?<![\\p{L}\\d])${sign.replace('$', sign.length > 2 ? ' ?\\$' : '\\$')}`)
  .join('|');

const ABOUT = new RegExp(String.raw`(?<![\w~])~ ?(?=(?:${COUNTRY_SIGN}|${SIGN})\d)`, 'gu');
/** `$20s`: bank notes, without their currency. */
const NOTES = new RegExp(String.raw`(?:${SIGN})(5|[125]0|[1-9]00)s\b`, 'gu');
/** `£10k–15k` has one amount: the first scale is left out. */
const SCALED_TWICE = new RegExp(
  String.raw`((?:${SIGN})(?:${NUMBER})) ?([kKmMbB]n?)(?= ?[–-] ?(?:${NUMBER}) ?\2\b)`,
  'gu',
);
/** Three digits after a point are no cents. */
const THOUSANDS =
  /(?<![\d.,])\d{1,3}\.000(?![\d.,]*\d)(?:(?= ?(?:€|EUR\b))|(?<=(?:€|\bEUR) ?[\d.]+))/g;
const MINUS = new RegExp(String.raw`(?<=\d) ?- ?(?=${SIGN}\d[\d.,]*\s*=)`, 'gu');
/** A range whose second number has no sign: `$1.5k-2k`. */
const SCALED = new RegExp(String.raw`(?<=${SIGN}\d[\d.,]*(?:bn|tr?n|[kKmMbB]))-(?=\d)`, 'gu');
const BETWEEN = new RegExp(
  String.raw`(?<=\d(?:bn|tr?n|[kKmMbB%])?) ?- ?(?=(?:${COUNTRY_SIGN}|${SIGN})\d)`,
  'gu',
);
const DECIMAL_COMMA =
  /(?<![\d.,])(\d{1,3}(?:\.\d{3})*),(\d{2})(?![\d.,]*\d)(?:(?= ?(?:€|EUR\b))|(?<=(?:€|\bEUR) ?[\d.,]+))/g;
/** An amount between these is an adjective: `a $5 fee`, `$5 bills`. */
const ARTICLE = /\ban?\s$/i;
const NOUN = /^[ -](?:bills?|notes?|coins?)\b/;
const BEFORE = new RegExp(
  String.raw`([-−]?)(${COUNTRY_SIGN}|${SIGN}|${CODE}) ?([-−]?)(?:(${NUMBER}) ?- ?(?=\d))?(${NUMBER})${SCALE}(?: (${CODE}))?${PER_UNIT}`,
  'gu',
);
const AFTER = new RegExp(
  String.raw`(?<![\w.,])([-−]?)(?:(${NUMBER}) ?- ?)?(${NUMBER})${SCALE} ?(${SIGN}|${CODES})(?![\p{L}\d])${PER_UNIT}`,
  'gu',
);

/** Writes amounts of money in words. */
export function speakMoney(text: string): string {
  return text
    .replace(ABOUT, 'about ')
    .replace(NOTES, (_, amount: string) => ` ${plural(cardinal(amount).replace('one ', ''))} `)
    .replace(SCALED_TWICE, '$1')
    .replace(THOUSANDS, (amount) => amount.replace('.', ''))
    .replace(MINUS, ' minus ')
    .replace(BETWEEN, ' to ')
    .replace(SCALED, ' to ')
    .replace(
      DECIMAL_COMMA,
      (_, whole: string, cents: string) => `${whole.replaceAll('.', '')}.${cents}`,
    )
    .replace(
      BEFORE,
      (
        found,
        sign: string,
        symbol: string,
        late: string,
        from: string | undefined,
        amount: string,
        scale: string | undefined,
        code: string | undefined,
        unit: string | undefined,
        at: number,
        whole: string,
      ) => {
        const minus = sign + late === '' ? '' : 'minus ';
        const start = from === undefined ? '' : `${decimal(from)} to `;
        const isAdjective =
          ARTICLE.test(whole.slice(0, at)) || NOUN.test(whole.slice(at + found.length));
        return minus + start + price(code ?? symbol, amount, scale, isAdjective) + perUnit(unit);
      },
    )
    .replace(
      AFTER,
      (
        _,
        sign: string,
        from: string | undefined,
        amount: string,
        scale: string | undefined,
        symbol: string,
        unit?: string,
      ) => {
        const minus = sign === '' ? '' : 'minus ';
        const start = from === undefined ? '' : `${decimal(from)} to `;
        return minus + start + price(symbol, amount, scale) + perUnit(unit);
      },
    );
}

/** @param isAdjective - "five dollar", as in a five dollar bill */
function price(
  symbol: string,
  amount: string,
  scale: string | undefined,
  isAdjective = false,
): string {
  const [one, several, cent, cents] = currency(symbol);
  const many = isAdjective ? one : several;
  if (scale !== undefined) {
    const word = scale.length > 3 ? scale : (SCALES[scale.charAt(0).toLowerCase()] ?? scale);
    return `${decimal(amount)} ${word} ${many}`;
  }
  const [whole = '', rest = ''] = amount.replaceAll(',', '').split('.');
  // Fractions of a cent, and of a currency without cents, are read like any other number.
  if (rest !== '' && (rest.length !== 2 || cent === undefined)) {
    return `${decimal(amount)} ${many}`;
  }
  const parts: string[] = [];
  if (Number(whole) > 0 || Number(rest) === 0) {
    parts.push(`${cardinal(whole || '0')} ${Number(whole) === 1 ? one : many}`);
  }
  if (Number(rest) > 0) {
    parts.push(`${cardinal(rest)} ${Number(rest) === 1 ? cent : cents}`);
  }
  return parts.join(' and ');
}

function currency(symbol: string): Currency {
  const sign = SIGNS[symbol];
  if (sign) return sign;
  const code = COUNTRY_SIGNS[symbol.replace(' ', '')] ?? symbol;
  const [one, many] = [currencyName(code, 1), currencyName(code, 2)];
  if (code === 'GBP') return [one, many, 'penny', 'pence'];
  return /dollar|euro/.test(one) ? [one, many, 'cent', 'cents'] : [one, many];
}

/** `USD` → "US dollar" for one, "US dollars" for more. */
function currencyName(code: string, count: number): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'name',
    // One dollar, but 1.00 dollars.
    maximumFractionDigits: 0,
  });
  return format.formatToParts(count).find(({ type }) => type === 'currency')?.value ?? code;
}
