/** Characters that stand for themselves. */
const CHAR = '[A-Za-z0-9 _\\-!"#%&\',/:;<=>@`~]';
const ESCAPE = '\\\\[dDwWsSnrtfv.*+?^$()[\\]{}|\\\\/]';
const RANGE =
  '(?:a-[b-z]|A-[B-Z]|0-[1-9]|[A-Za-z0-9 _!"#%&\',/:;<=>@.*+?$(){}|]|\\\\[dDwWsSnrtfv.*+?^$()[\\]{}|\\\\/-])';
const CLASS = `\\[\\^?${RANGE}+-?\\]`;
const ATOM = `(?:${CHAR}|${ESCAPE}|${CLASS}|\\.)`;
/** A quantifier, or none. */
const QUANTIFIER = '(?:(?:[*+?]|\\{\\d{1,2},?\\})\\??)?';

/** Alternatives of pieces, with groups that are nested this deep. */
function alternatives(depth: number): string {
  const group = depth > 0 ? `|\\((?:\\?:)?${alternatives(depth - 1)}\\)` : '';
  const piece = `(?:(?:${ATOM}${group})${QUANTIFIER}|[\\^$])`;
  return `${piece}*(?:\\|${piece}*)*`;
}

/** Regular expressions of the kinds that ECMAScript and others share, with groups up to two levels deep. */
const REGULAR_EXPRESSION = alternatives(2);

const DATE =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const TIME =
  '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
/** The limit of 63 characters is not enforced: counting them would cost XGrammar seconds. */
const LABEL = '[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*';
/** The last label begins with a letter: with a digit, this could be an IP address. */
const HOST = `(?:${LABEL}\\.)*[A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*`;
/**
 * A host name on its own. Two hyphens in a row could begin the code of other characters, which is seldom right:
 * `xn--…`.
 */
const PLAIN_HOST = HOST.replaceAll('-+', '-');
/** A host name of at most 251 characters, in which no label is longer than 63. */
const SHORT_HOST = shortHost(20, 5);
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;
const HEX = '[0-9A-Fa-f]{1,4}';
const IPV6 = [
  `(?:${HEX}:){7}${HEX}`,
  `(?:${HEX}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((n) => `(?:${HEX}:){1,${7 - n}}(?::${HEX}){1,${n}}`),
  `:(?::${HEX}){1,7}`,
  '::',
].join('|');
/** Only some addresses and ports are allowed in URIs: all of them would need hundreds of rules. */
const ADDRESS = '(?:(?:1\\d\\d|[1-9]?\\d)\\.){3}(?:1\\d\\d|[1-9]?\\d)';
const PORT = '(?::[1-5]?\\d{1,4})?';
const DATE_UNITS = '(?:\\d{1,4}Y(?:\\d{1,4}M)?(?:\\d{1,4}D)?|\\d{1,4}M(?:\\d{1,4}D)?|\\d{1,4}D)';
const TIME_UNITS = 'T(?:\\d{1,4}H(?:\\d{1,4}M)?(?:\\d{1,4}S)?|\\d{1,4}M(?:\\d{1,4}S)?|\\d{1,4}S)';
const POINTER = '(?:/(?:[^~/]|~[01])*)*';
const BASE64 = '(?:[0-9A-Za-z+/]{4})*(?:[0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=)?';
/** Characters of an IRI that a URI does not have. */
const BEYOND_ASCII = '\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef';
const LOCAL = (more: string) => `[A-Za-z0-9_+${more}-]+(?:\\.[A-Za-z0-9_+${more}-]+)*`;
const DOMAIN = `(?:${LABEL}\\.)+[A-Za-z]{2,}`;

/** Patterns of URIs, whose characters are those of RFC 3986 and those in `more`. */
function uris(more: string) {
  /** A percent sign needs its two digits. */
  const chars = (set: string) => `(?:[A-Za-z0-9._~!$&'()*+,;=${set}${more}-]|%[0-9A-Fa-f]{2})`;
  const path = `(?:/${chars(':@')}*)*`;
  const tail = `(?:\\?${chars(':@/?')}*)?(?:#${chars(':@/?')}*)?`;
  const authority = `//(?:${chars(':')}*@)?(?:${HOST}|${ADDRESS})${PORT}${path}`;
  // Two slashes would begin an authority.
  const absolute = `/(?:${chars(':@')}+${path})?`;
  const rootless = `${chars(':@')}+${path}`;
  const relative = `${chars('@')}*${path}`;
  return {
    uri: `[A-Za-z][A-Za-z0-9+.-]*:(?:${authority}|${absolute}|${rootless})${tail}`,
    reference: `(?:${authority}|${absolute}|${relative})${tail}`,
    template: `(?:${chars(':@/?#')}|\\{[+#./;?&]?[A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*\\})*`,
  };
}

const URI = uris('');
const IRI = uris(BEYOND_ASCII);

/**
 * Patterns that all texts of a format match, by any definition of the format. Formats that are not listed here
 * can be any text.
 */
const LOOSE_FORMATS = new Map(
  Object.entries({
    date: '\\d{4}-\\d\\d-\\d\\d',
    time: '\\d\\d:\\d\\d:.*',
    'date-time': '\\d{4}-\\d\\d-\\d\\d[Tt ].*',
    duration: 'P.*',
    email: '.*@.*',
    'idn-email': '.*@.*',
    hostname: '[A-Za-z0-9._-]*',
    ipv4: '[\\d.]*',
    ipv6: '[0-9A-Fa-f:.]*',
    cidrv4: '[\\d.]*/\\d*',
    cidrv6: '[0-9A-Fa-f:.]*/\\d*',
    uri: '[A-Za-z][A-Za-z0-9+.-]*:.*',
    iri: '[A-Za-z][A-Za-z0-9+.-]*:.*',
    uuid: '[0-9A-Fa-f-]{36}',
    'json-pointer': '(?:/.*)?',
    e164: '\\+\\d*',
  }),
);

/** A pattern that all texts of a format match, by any definition of the format; '' if there is none. */
export function loosePattern(format: string | undefined): string {
  const found = LOOSE_FORMATS.get(format ?? '');
  return found === undefined ? '' : `^(?:${found})$`;
}

/** Characters. Texts with a smaller limit can be counted. */
const MIN_LIMIT = 120;

/** Patterns of limited length for formats of any length. They allow only simple and common texts. */
const LIMITED_FORMATS = new Map<string, (max: number) => string>([
  ['email', limitedEmail],
  ['idn-email', limitedEmail],
  ['hostname', limitedHost],
  ['idn-hostname', limitedHost],
  ['uri', limitedUri],
  ['iri', limitedUri],
  ['uri-reference', limitedReference],
  ['iri-reference', limitedReference],
]);

/** One or two names, an at sign, and one or two names of a domain before the last one. */
function limitedEmail(max: number): string {
  const name = `[A-Za-z0-9_+-]{1,${least(32, (max - 10) / 4)}}`;
  const label = `[A-Za-z0-9]{1,${least(32, (max - 10) / 4)}}`;
  return `${name}(?:\\.${name})?@(?:${label}\\.){1,2}[A-Za-z]{2,6}`;
}

/** In a text of at most 63 characters, no label is too long. */
function limitedHost(max: number): string {
  return max <= 63 ? PLAIN_HOST : shortHost(least(20, (max - 8) / 8), 3);
}

/** Labels of up to `1 + 2 * more` characters. Up to `labels` of them precede the last one. */
function shortHost(more: number, labels: number): string {
  const rest = `(?:-?[A-Za-z0-9]){0,${more}}`;
  return `(?:[A-Za-z0-9]${rest}\\.){0,${labels}}[A-Za-z]${rest}`;
}

/** The characters of `char` are allowed anywhere in a host, a path and a query. */
function limitedUri(max: number): string {
  const char = "[A-Za-z0-9._~!$&'()*+,;=/?-]";
  const most = least(400, max - 80);
  const port = `:[1-5]?\\d{1,4}(?:[/?]${char}{0,${most}})?`;
  return `[a-z][a-z0-9+]{1,7}://[A-Za-z0-9](?:${char}{0,60}(?:${port})?|${char}{0,${most}})`;
}

function limitedReference(max: number): string {
  const first = "[A-Za-z0-9._~!$&'()*+,;=@?-]";
  return `/?(?:${first}[A-Za-z0-9._~!$&'()*+,;=@/?-]{0,${least(400, max - 2)}})?`;
}

/** The smaller one, without a fraction. */
function least(a: number, b: number): number {
  return Math.min(a, Math.floor(b));
}

/**
 * The formats of strings, as patterns. Some allow less than the format does; none allows more, except that
 * domain labels in addresses and URIs can be of any length.
 */
const FORMATS = new Map(
  Object.entries({
    date: DATE,
    time: TIME,
    'date-time': `${DATE}[Tt]${TIME}`,
    duration: `P(?:\\d{1,4}W|${DATE_UNITS}(?:${TIME_UNITS})?|${TIME_UNITS})`,
    email: `${LOCAL('')}@${DOMAIN}`,
    'idn-email': `${LOCAL(BEYOND_ASCII)}@${DOMAIN}`,
    hostname: SHORT_HOST,
    'idn-hostname': SHORT_HOST,
    ipv4: IPV4,
    ipv6: IPV6,
    cidrv4: `${IPV4}/(?:3[0-2]|[12]?\\d)`,
    cidrv6: `(?:${IPV6})/(?:12[0-8]|1[01]\\d|[1-9]?\\d)`,
    uri: URI.uri,
    'uri-reference': `${URI.uri}|${URI.reference}`,
    'uri-template': URI.template,
    iri: IRI.uri,
    'iri-reference': `${IRI.uri}|${IRI.reference}`,
    uuid: '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}',
    'json-pointer': POINTER,
    'relative-json-pointer': `(?:0|[1-9]\\d{0,8})(?:#|${POINTER})`,
    regex: REGULAR_EXPRESSION,
    byte: BASE64,
    base64: BASE64,
    base64url: '(?:[0-9A-Za-z_-]{4})*(?:[0-9A-Za-z_-]{2,3})?',
    e164: '\\+[1-9]\\d{6,14}',
    jwt: '[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*',
    nanoid: '[A-Za-z0-9_-]{21}',
    cuid: 'c[0-9a-z]{24}',
    cuid2: '[a-z][0-9a-z]{23}',
    ulid: '[0-7][0-9A-HJKMNP-TV-Z]{25}',
    xid: '[0-9a-v]{20}',
    ksuid: '[A-Za-z0-9]{27}',
  }),
);

/**
 * The pattern of a format; '' if the format adds no constraint. JSON Schema says that an unknown format is an
 * annotation.
 *
 * @param hasPattern - whether the schema has a `pattern` too: zod then writes the kind of pattern as the format
 */
export function formatPattern(format: string | undefined, hasPattern: boolean): string {
  if (format === undefined || (hasPattern && format === 'regex')) return '';
  const found = FORMATS.get(format);
  return found === undefined ? '' : `^(?:${found})$`;
}

/**
 * The pattern of a format whose texts are at most so long; undefined if there is none. It allows less than
 * `formatPattern` does.
 */
export function limitedFormatPattern(format: string, max: number): string | undefined {
  const isCounted = max < MIN_LIMIT && !format.endsWith('hostname');
  const limited = isCounted ? undefined : LIMITED_FORMATS.get(format)?.(max);
  return limited === undefined ? undefined : `^(?:${limited})$`;
}

/** The type of the values that a format constrains; undefined if it is an annotation. */
export function formatType(format: string | undefined): 'string' | 'number' | undefined {
  if (format === 'int32') return 'number';
  return formatPattern(format, false) === '' ? undefined : 'string';
}
