const DATE =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const TIME =
  '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
/** The limit of 63 characters is not enforced: counting them would cost XGrammar seconds. */
const LABEL = '[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*';
/** The last label begins with a letter: with a digit, this could be an IP address. */
const HOST = `(?:${LABEL}\\.)*[A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*`;
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
/** A character of a URI. A percent sign needs its two digits. */
const URI_CHAR = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})";
const PORT = '(?::[1-9]\\d{0,3})?';
const DATE_UNITS = '(?:\\d{1,4}Y(?:\\d{1,4}M)?(?:\\d{1,4}D)?|\\d{1,4}M(?:\\d{1,4}D)?|\\d{1,4}D)';
const TIME_UNITS = 'T(?:\\d{1,4}H(?:\\d{1,4}M)?(?:\\d{1,4}S)?|\\d{1,4}M(?:\\d{1,4}S)?|\\d{1,4}S)';

/**
 * The formats of strings, as patterns. Some allow less than the format does; none allows more, except that
 * domain labels can be of any length.
 */
const FORMATS = new Map(
  Object.entries({
    date: DATE,
    time: TIME,
    'date-time': `${DATE}T${TIME}`,
    duration: `P(?:\\d{1,4}W|${DATE_UNITS}(?:${TIME_UNITS})?|${TIME_UNITS})`,
    email: `[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@(?:${LABEL}\\.)+[A-Za-z]{2,}`,
    hostname: HOST,
    ipv4: IPV4,
    ipv6: IPV6,
    cidrv4: `${IPV4}/(?:3[0-2]|[12]?\\d)`,
    cidrv6: `(?:${IPV6})/(?:12[0-8]|1[01]\\d|[1-9]?\\d)`,
    uri: `[A-Za-z][A-Za-z0-9+.-]*://${HOST}${PORT}(?:/${URI_CHAR}*)?(?:#${URI_CHAR}*)?|(?:mailto|tel|urn):${URI_CHAR}+`,
    uuid: '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}',
    'json-pointer': '(?:/(?:[^~/]|~[01])*)*',
    base64: '(?:[0-9A-Za-z+/]{4})*(?:[0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=)?',
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

/** Formats that say how a text is shown or stored. They do not constrain it. */
const ANNOTATIONS = ['password', 'binary', 'string', 'text', 'multiline', 'textarea'];
/** Formats that zod writes as the name of the `pattern` beside them. */
const NAMES_OF_PATTERNS = [
  'starts_with',
  'ends_with',
  'includes',
  'lowercase',
  'uppercase',
  'regex',
];
const NUMBER_FORMATS = ['int32', 'int64', 'float', 'double'];

/**
 * The pattern of a format; '' if the format adds no constraint, undefined if it is unknown.
 *
 * @param hasPattern - whether the schema has a `pattern` too
 */
export function formatPattern(format: string, hasPattern: boolean): string | undefined {
  if (hasPattern && NAMES_OF_PATTERNS.includes(format)) return '';
  if (ANNOTATIONS.includes(format) || NUMBER_FORMATS.includes(format)) return '';
  const found = FORMATS.get(format);
  return found && `^(?:${found})$`;
}
