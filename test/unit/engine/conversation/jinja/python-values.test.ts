import { expect, test } from 'vitest';
import {
  TemplateFault,
  TemplateTooLong,
} from '../../../../../src/engine/conversation/jinja/limits/faults.ts';
import { JinjaTemplate } from '../../../../../src/engine/conversation/jinja/template.ts';

function render(source: string): string {
  return new JinjaTemplate(`{{ ${source} }}`).render({}, { steps: 100_000, characters: 100_000 });
}

// The texts are those of Python's jinja2 3.1.6.
test.each([
  ['1e3', '1000.0'],
  ['1E3', '1000.0'],
  ['1e-3', '0.001'],
  ['1.5e3', '1500.0'],
  ['0x1f', '31'],
  ['0X1F', '31'],
  ['0b101', '5'],
  ['0o17', '15'],
  ['1_000', '1000'],
  ['1_000.5', '1000.5'],
  ['1e1_0', '10000000000.0'],
  ['9007199254740993', '9007199254740993'],
  ['9007199254740993 + 1', '9007199254740994'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['-9007199254740993', '-9007199254740993'],
  ['9007199254740993 * 2', '18014398509481986'],
  ['9007199254740993 // 2', '4503599627370496'],
  ['9007199254740993 % 10', '3'],
  ['9007199254740993 == 9007199254740992', 'False'],
  ['9007199254740993 > 9007199254740992', 'True'],
  ['2 ** 64', '18446744073709551616'],
  ['2 ** 62 + 1', '4611686018427387905'],
  ['10 ** 20', '100000000000000000000'],
  ['9007199254740991 + 2', '9007199254740993'],
  ['9007199254740993|int', '9007199254740993'],
  ['9007199254740993|string', '9007199254740993'],
  ["'9007199254740993'|int", '9007199254740993'],
  ["'123456789012345678901234567890'|int", '123456789012345678901234567890'],
  ['9007199254740993|tojson', '9007199254740993'],
  ['[9007199254740993]|sum', '9007199254740993'],
  ['[9007199254740993, 1]|sum', '9007199254740994'],
  ['9007199254740993|abs', '9007199254740993'],
  ['-9007199254740993|abs', '9007199254740993'],
  ['(-9007199254740993)|abs', '9007199254740993'],
  ['9007199254740993|float', '9007199254740992.0'],
  ['9007199254740993 is even', 'False'],
  ['9007199254740993 is odd', 'True'],
  ['9007199254740993 is divisibleby(3)', 'True'],
  ["'%d'|format(9007199254740993)", '9007199254740993'],
  ['9007199254740993 / 2', '4503599627370496.0'],
  ['9007199254740993|round', '9007199254740993'],
  ['4611686018427387904 * 4611686018427387904', '21267647932558653966460912964485513216'],
  ['1 + 1e3', '1001.0'],
  ['1e3|int', '1000'],
  ['1e16', '1e+16'],
  ['1e15', '1000000000000000.0'],
  ['1e-5', '1e-05'],
  ['1e-4', '0.0001'],
  ['1e400', 'inf'],
  ['3|filesizeformat', '3 Bytes'],
  ['3000|filesizeformat', '3.0 kB'],
  ['3000000|filesizeformat(true)', '2.9 MiB'],
  ['1|filesizeformat', '1 Byte'],
  ["'13'|filesizeformat", '13 Bytes'],
  ['123456789012|filesizeformat', '123.5 GB'],
  ['1e30|filesizeformat', '1000000.0 YB'],
  ["'a b c d e f g'|wordwrap(5)", 'a b c\nd e f\ng'],
  ["'aaaaaaaaaaaa bb'|wordwrap(5)", 'aaaaa\naaaaa\naa bb'],
  ["'aaaaaaaaaaaa bb'|wordwrap(5, false)", 'aaaaaaaaaaaa\nbb'],
  ["'a b c d'|wordwrap(3, wrapstring='|')", 'a b|c d'],
  ["'a\nb c d e f'|wordwrap(4)", 'a\nb c\nd e\nf'],
  ["'hello-world foo-bar'|wordwrap(8)", 'hello-\nworld\nfoo-bar'],
  ["'hello-world foo-bar'|wordwrap(8, break_on_hyphens=false)", 'hello-wo\nrld\nfoo-bar'],
  ["''|wordwrap(5)", ''],
  [
    "'long text here to be wrapped at a place'|wordwrap(width=12)",
    'long text\nhere to be\nwrapped at a\nplace',
  ],
  ["{'class': 'x', 'id': none, 'a': 1}|xmlattr", ' class="x" a="1"'],
  ["{'a': '<&\"'}|xmlattr(false)", 'a="&lt;&amp;&#34;"'],
  ['{}|xmlattr', ''],
  ["'<p>Hello <b>World</b></p>'|striptags", 'Hello World'],
  ["'<!-- c --> a   b &amp; c'|striptags", 'a b & c'],
  ["'a < b'|striptags", 'a < b'],
  ["{'b': 1, 'a': [1, 2]}|pprint", "{'a': [1, 2], 'b': 1}"],
  ["'x'|pprint", "'x'"],
  ["[1, 'a', none]|pprint", "[1, 'a', None]"],
  [
    "{'a': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'b': 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'}|pprint",
    "{'a': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n 'b': 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'}",
  ],
  ["'length' is filter", 'True'],
  ["'nope' is filter", 'False'],
  ["'odd' is test", 'True'],
  ["'nope' is test", 'False'],
  ["'nope' is not filter", 'True'],
  ["'a' is lower", 'True'],
  ["'1' is lower", 'False'],
  ["'A1' is upper", 'True'],
  ["joiner(', ')()", ''],
  ['1.e3', ''],
  ['1e400|tojson', 'Infinity'],
  ["'0x1F'|int(base=16)", '31'],
  ['1e100', '1e+100'],
  ['5e-324', '5e-324'],
  ["['\u00e9\\u200b']", "['\u00e9\\u200b']"],
])('%s', (source, text) => {
  expect(render(source)).toBe(text);
});

test('lists that are too long for a line are written in several by pprint', () => {
  expect(render('range(40)|list|pprint')).toMatch(/^\[0,\n 1,\n 2,(?:\n \d+,)*\n 39\]$/);
});

test.each(['7|random', "''|random", '[]|random'])(
  '%s takes no item that is not there',
  (source) => {
    if (source.startsWith('7')) expect(() => render(source)).toThrow(TemplateFault);
    else expect(render(source)).toBe('');
  },
);

test('random takes one of the items', () => {
  expect(['a', 'b']).toContain(render("['a', 'b']|random"));
});

test.each([
  ["'x'|urlize", "The filter 'urlize' is not supported."],
  ["'x'|nope", "No filter named 'nope'."],
  ["'x' is nope", "No test named 'nope'."],
  ["'a'|attr('upper')()", 'The result of a filter cannot be called.'],
  ["'x'|wordwrap(0)", 'invalid width 0 (must be > 0)'],
  ["{'a b': 1}|xmlattr", "Invalid character in attribute name: 'a b'"],
])('%s is refused by name', (source, message) => {
  expect(() => render(source)).toThrow(message);
});

test('numbers without end are refused', () => {
  for (const source of ['10 ** 10000', '(10 ** 2000) * (10 ** 2000)', '2 ** 9007199254740993']) {
    expect(() => render(source)).toThrow(TemplateTooLong);
  }
  const squares =
    '{% set n = namespace(x=9) %}{% for i in range(60) %}{% set n.x = n.x * n.x %}{% endfor %}';
  const template = new JinjaTemplate(squares);
  expect(() => template.render({}, { steps: 100_000, characters: 100_000 })).toThrow(
    TemplateTooLong,
  );
});

test('a long row of dashes is wrapped before the test runs out of time', () => {
  const template = new JinjaTemplate("{{ ('a' ~ '-' * 200000)|wordwrap(2)|length }}");
  expect(template.render({}, { steps: 3_000_000, characters: 1_000_000 })).toBe('300001');
  const unbroken = new JinjaTemplate("{{ ('a' * 200000)|wordwrap(5, false)|length }}");
  expect(unbroken.render({}, { steps: 3_000_000, characters: 1_000_000 })).toBe('200000');
});
