import { enforced, type Case } from '../../unit/core/grammar/cases/cases.ts';

const FORMATS: [format: string, valid: string[], invalid: string[]][] = [
  ['date', ['2024-02-29', '1999-12-31'], ['2023-02-29', '2024-13-01', '2024-1-1']],
  ['time', ['12:00:00Z', '23:59:59.5+01:00'], ['24:00:00Z', '12:00']],
  ['date-time', ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.123+02:00'], ['2024-05-01', 'now']],
  ['duration', ['P1D', 'PT1H30M', 'P2W', 'P1Y2M3DT4H5M6S'], ['P', '1D', 'PT']],
  ['email', ['a@b.co', 'first.last+tag@mail.example.com'], ['a@b', '@b.co', 'a b@c.de']],
  ['hostname', ['a-b.example.com', 'localhost'], ['-a.com', 'a..b', 'xn--X', 'a'.repeat(64)]],
  ['ipv4', ['127.0.0.1', '255.255.255.255'], ['256.1.1.1', '1.2.3']],
  ['ipv6', ['::1', '2001:db8::ff00:42:8329', '1:2:3:4:5:6:7:8'], ['1:2', ':::']],
  ['uri', ['https://example.com/a?b=c#d', 'mailto:a@b.co'], ['example.com', 'https://']],
  ['uuid', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567e89b42d3a456426614174000']],
  [
    'uri-reference',
    ['/a/b?c#d', 'a', '', '//x.org/a', 'https://x.org', '#a'],
    ['a b', '%', '\\\\'],
  ],
  ['iri', ['https://example.com/é', 'urn:é'], ['é', 'a b:c']],
  ['iri-reference', ['/é', 'é', ''], ['a b']],
  ['uri-template', ['https://x.org/{id}{?q,r}', '{+a}'], ['{', '{a']],
  ['idn-email', ['é@example.com'], ['é']],
  ['idn-hostname', ['example.com'], ['-a']],
  ['regex', ['^[a-z]+\\d{2,}$', '(a|b)*c?', '[^\\\\]', ''], ['(', '[a', '*a', 'a{2,1}', '\\']],
  ['byte', ['', 'QUJD'], ['Q']],
  ['relative-json-pointer', ['0', '1/a', '2#'], ['/a', '01']],
  ['no-such-format', ['', 'anything'], []],
  ['json-pointer', ['', '/a/b~0c'], ['a', '/~2']],
  ['base64', ['', 'QUJD', 'QQ=='], ['Q', 'Q===']],
  ['base64url', ['QUJD', 'a-_b'], ['a+b=']],
  ['e164', ['+14155552671'], ['14155552671', '+0123']],
  ['cidrv4', ['10.0.0.0/8'], ['10.0.0.0', '10.0.0.0/33']],
  ['cidrv6', ['2001:db8::/32'], ['2001:db8::']],
  ['nanoid', ['V1StGXR8_Z5jdHi6B-myT'], ['short']],
  ['cuid', ['cjld2cjxh0000qzrmn831i7rn'], ['djld2cjxh0000qzrmn831i7rn']],
  ['ulid', ['01ARZ3NDEKTSV4RRFFQ69G5FAV'], ['81ARZ3NDEKTSV4RRFFQ69G5FAV']],
];

/** Patterns, texts that match, and texts that do not. */
const PATTERNS: [pattern: string, valid: string[], invalid: string[]][] = [
  ['^\\ud83d\\ude00$', ['😀'], ['😂', '']],
  ['^[\\uD83D\\uDE00-\\uD83D\\uDE02]{2}$', ['😀😂'], ['😀', 'ab']],
  ['^\\u{000000000001F600}$', ['😀'], ['😂']],
  ['^[\\w-.]+$', ['a-b.c'], ['a b', '']],
  ['^[a-z]+$', ['a', 'abc'], ['', 'A', 'a1']],
  ['^[A-Z]{3}-\\d{4}$', ['ABC-1234'], ['AB-1234', 'ABC-12345']],
  ['foo', ['foo', 'a foo b', 'é foo'], ['fo', '']],
  ['^foo', ['foo', 'foobar'], ['a foo']],
  ['foo$', ['foo', 'a foo'], ['foo b']],
  ['^(?:a|bc)*$', ['', 'abc', 'bca'], ['b', 'c']],
  ['^a|b$', ['ax', 'xb'], ['xa', 'bx']],
  ['(^a|b$)', ['ax', 'xb'], ['xa', 'bx']],
  ['^.{2,4}$', ['ab', 'é日x'], ['a', 'abcde', 'a\nb']],
  ['^\\w+@\\w+\\.com$', ['a@b.com'], ['a@b.org']],
  ['^[^"]*$', ['abc', "it's"], ['say "no"']],
  ['^"[^"]*"$', ['"quoted"'], ['quoted']],
  ['^\\\\$', ['\\'], ['/']],
  ['^\\s\\S$', [' a', '\ta'], ['a ']],
  ['^[\\u4e00-\\u9fff]+$', ['中文'], ['a', '']],
  ['^[à-ÿ]$', ['é'], ['e']],
  ['^é$', ['é'], ['e']],
  ['^ä[a-f]$', ['äa', 'äf'], ['ag', 'ä']],
  ['^\\u00e9\\x41$', ['éA'], ['eA']],
  ['^\\u{1F600}$', ['😀'], ['😁']],
  ['^[😀-😅]+$', ['😀😅'], ['😎']],
  ['^(?!foo)[a-z]+$', ['bar', 'fob'], ['foo', 'foobar']],
  ['^(?=.*\\d)(?=.*[a-z])[a-z\\d]{2,6}$', ['a1', '1a2b'], ['aa', '11']],
  ['^(?!.*\\.\\.)[a-z.]+$', ['a.b', '.a'], ['a..b']],
  ['^(?:(?!x)[a-z]|9)$', ['a', '9'], ['x']],
  ['^a{3}$', ['aaa'], ['aa', 'aaaa']],
  ['^a{2,}$', ['aa', 'aaaaa'], ['a']],
  ['^a??b+?$', ['ab', 'bb'], ['a']],
  ['^(?<year>\\d{4})$', ['2024'], ['24']],
  ['^\\+?\\(\\d\\)$', ['+(1)', '(1)'], ['1']],
  ['^\\d{3}\\-\\d{2}$', ['123-45'], ['12345']],
  ['^[\\w.-]+$', ['a.b-c_d'], ['a b']],
  ['^[\\]\\\\^-]+$', [']\\^-'], ['a']],
  ['^[\\^b]$', ['^', 'b'], ['a', 'bb']],
  ['^[\\^é]$', ['^', 'é'], ['e', 'É']],
  ['^[\\^-f]$', ['^', '_', 'f'], ['g', ']']],
  ['^\\d+(\\.\\d{1,2})?$', ['1', '1.25'], ['1.', '1.234']],
  ['^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$', ['1.0.10'], ['01.0.0', '1.0']],
  ['^#[0-9a-fA-F]{6}$', ['#a1B2c3'], ['#a1b2c', 'a1b2c3']],
  ['', ['', 'anything'], []],
  ['^$', [''], ['a']],
  ['\\n', ['a\nb'], ['ab']],
  ['^[\\s\\S]*$', ['', 'a\nb'], []],
  ['^\\D\\W$', ['a!'], ['1!', 'aa']],
  ['^[^\\d\\s]+$', ['ab'], ['a1', 'a b']],
  ['^a.c$', ['abc', 'a c', 'aéc'], ['ac', 'a\nc']],
];

const LENGTHS: [min: number | undefined, max: number | undefined][] = [
  ...[
    [0, 0],
    [0, 1],
    [1, 1],
    [1, undefined],
    [undefined, 5],
    [2, 3],
    [10, 20],
    [0, 64],
    [3, 65],
  ],
  ...[
    [60, 70],
    [64, 128],
    [65, 200],
    [100, undefined],
    [undefined, 1000],
    [130, 4096],
  ],
  // Around the bounds at which characters are counted in another way.
  ...[
    [6, 7],
    [0, 16],
    [5, 17],
    [17, 22],
    [0, 23],
  ],
] as [number | undefined, number | undefined][];

const lengths = LENGTHS.map(([minLength, maxLength]) => {
  const least = minLength ?? 0;
  const most = maxLength ?? least + 70;
  const text = (length: number) => 'éa"日b\n'.repeat(Math.ceil(length / 6)).slice(0, length);
  const schema = {
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
  const tooLong = maxLength === undefined ? [] : [text(maxLength + 1)];
  const tooShort = least > 0 ? [text(least - 1)] : [];
  const between = text(Math.floor((least + most) / 2));
  return enforced(schema, [text(least), text(most), between], [...tooLong, ...tooShort]);
});

const others = [
  enforced({ type: 'string' }, ['', 'a', 'é😀"\\/\n\u0000', '日本'], [1, null]),
  enforced({ type: 'string', pattern: '^[a-z]+$', maxLength: 3 }, ['abc'], ['abcd', 'A']),
  enforced({ type: 'string', pattern: '\\d', minLength: 3, maxLength: 5 }, ['ab1'], ['a1', 'abc']),
  enforced({ type: 'string', format: 'email', maxLength: 12 }, ['a@b.co'], ['abcdefgh@long.com']),
  enforced(
    { type: 'string', format: 'uri', maxLength: 2083 },
    ['https://example.com/a?b=c', 'http://localhost:8080/x', 'ftp://a.b'],
    ['example.com', 'https://', 'https://a:b', `https://a.b/${'c'.repeat(2080)}`],
  ),
  // The parts of a long text have limits of their own.
  enforced(
    { type: 'string', pattern: '^(?:@[a-z0-9-]+/)?[a-z0-9][a-z0-9._-]*$', maxLength: 214 },
    ['a', '@types/node', 'a'.repeat(100), `@${'a'.repeat(90)}/${'b'.repeat(90)}`],
    ['', '@types', 'a/b', 'a'.repeat(215), `@${'a'.repeat(110)}/${'b'.repeat(110)}`],
  ),
  ...[20, 63, 64, 100, 119, 120, 253, 300].map((maxLength) =>
    enforced(
      { type: 'string', format: 'hostname', maxLength },
      ['a-b.example.com'],
      ['-a.com', 'xn--a', 'a'.repeat(64), `${'ab.'.repeat(Math.ceil(maxLength / 3))}a`],
    ),
  ),
  enforced({ type: 'string', format: 'date', pattern: '^2024' }, ['2024-01-01'], ['2023-01-01']),
  enforced({ type: 'string', format: 'password' }, ['secret'], [1]),
  enforced({ type: 'string', format: 'binary' }, ['any'], [1]),
  enforced({ minLength: 2 }, ['ab'], ['a']),
  enforced({ type: ['string', 'null'], maxLength: 1 }, ['a', null], ['ab']),
  enforced({ type: 'string', minLength: 2, maxLength: 2, pattern: '^[^a]*$' }, ['bc'], ['ab', 'b']),
];

export const STRING_CASES: Case[] = [
  ...FORMATS.map(([format, valid, invalid]) =>
    enforced({ type: 'string', format }, valid, invalid),
  ),
  ...PATTERNS.map(([pattern, valid, invalid]) =>
    enforced({ type: 'string', pattern }, valid, invalid),
  ),
  ...lengths,
  ...others,
];
