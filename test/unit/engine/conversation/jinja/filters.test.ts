import { describe, expect, test } from 'vitest';
import {
  TemplateFault,
  TemplateTooLong,
} from '../../../../../src/engine/conversation/jinja/limits/faults.ts';
import { JinjaTemplate } from '../../../../../src/engine/conversation/jinja/template.ts';

const LIMITS = { steps: 100_000, characters: 100_000 };

function render(source: string): string {
  const users = [
    { n: 'b', r: 2 },
    { n: 'A', r: 1 },
    { n: 'a', r: 2 },
  ];
  return new JinjaTemplate(`{{ ${source} }}`).render({ users }, LIMITS);
}

// The results are those of Python's jinja2 3.1.6.
describe('a filter has its arguments by place or by name:', () => {
  test.each([
    ["'aab'|replace(old='a', new='x')", 'xxb'],
    ["'aab'|replace('a', 'x', count=1)", 'xab'],
    ["'xax'|trim(chars='x')", 'a'],
    ["[1, 2, 3]|batch(linecount=2, fill_with='-')|list", "[[1, 2], [3, '-']]"],
    ['[1, 2, 3, 4, 5]|slice(2)|list', '[[1, 2, 3], [4, 5]]'],
    ['[1, 2, 3, 4, 5]|slice(slices=3, fill_with=0)|list', '[[1, 2], [3, 4], [5, 0]]'],
    ["[1, 2, 3]|join(d='-')", '1-2-3'],
    ["users|join('-', 'n')", 'b-A-a'],
    ["'x'|float(default=2.5)", '2.5'],
    ["'1.5x'|float", '0.0'],
    ["'1e3'|float", '1000.0'],
    ["'0x1a'|int(0, 16)", '26'],
    ["'1a'|int(base=16)", '26'],
    ["'-0b11'|int(base=2)", '-3'],
    ["'1a'|int(-1)", '-1'],
    ["users|sum('r')", '5'],
    ["users|sum(attribute='r', start=10)", '15'],
    ['[[1], [2]]|sum(start=[])', '[1, 2]'],
    ['[0.5, 2]|sum', '2.5'],
    ["users|sort(true, false, 'r')|map(attribute='n')|list", "['b', 'a', 'A']"],
    ["users|sort(attribute='r,n')|map(attribute='n')|list", "['A', 'a', 'b']"],
    ["users|sort(attribute='n', case_sensitive=true)|map(attribute='n')|list", "['A', 'a', 'b']"],
    ["['b', 'A']|min(true)", 'A'],
    ["['b', 'A']|max", 'b'],
    ["users|max(attribute='r')", "{'n': 'b', 'r': 2}"],
    ["{'b': 2, 'A': 1}|dictsort(by='value', reverse=true)", "[('b', 2), ('A', 1)]"],
    ["{'b': 2, 'A': 1}|dictsort(true)", "[('A', 1), ('b', 2)]"],
    ["users|unique(attribute='r')|map(attribute='n')|list", "['b', 'A']"],
    ["['a', 'A', 'b']|unique|list", "['a', 'b']"],
    ["['a', 'A', 'b']|unique(case_sensitive=true)|list", "['a', 'A', 'b']"],
    ["users|groupby('n')|map('first')|list", "['A', 'b']"],
    ["users|groupby('n', case_sensitive=true)|map('first')|list", "['A', 'a', 'b']"],
    ["users|groupby('z', default='?')|map('first')|list", "['?']"],
    ["['aab', 'b']|map('replace', old='a', new='x')|list", "['xxb', 'b']"],
    ["'foo bar baz qux'|truncate(9)", 'foo...'],
    ["'foo bar baz qux'|truncate(11)", 'foo bar baz qux'],
    ["'foo bar baz qux'|truncate(length=9, killwords=true, end='.', leeway=0)", 'foo bar .'],
    ["'foo'|center(width=8) ~ '|'", '  foo   |'],
    ["{'b': 1, 'a': 2}|tojson(sort_keys=true, separators=(',', ':'))", '{"a":2,"b":1}'],
    ["{'b': 1}|tojson(false, 2)|length", '12'],
    ["nothing|default(default_value='y')", 'y'],
    ["''|default('z', boolean=true)", 'z'],
    ["'a\\nb'|indent(width=2, first=true)", '  a\n  b'],
    ["{'a': 1, 'b': 'x y'}|urlencode", 'a=1&b=x+y'],
    ['"a\'(b)/c"|urlencode', 'a%27%28b%29/c'],
    ["'<'|forceescape", '&lt;'],
    ["'a\\nb'.splitlines(true)", "['a\\n', 'b']"],
    ["'a\\r\\nb\\n'.splitlines(keepends=true)", "['a\\r\\n', 'b\\n']"],
    ["''.splitlines()", '[]'],
    ["'-5'.zfill(5)", '-0005'],
    ["'aBc'.swapcase()", 'AbC'],
    ["'ab'.center(5, '*')", '**ab*'],
    ["'a'.center(4)", ' a  '],
    ["'Straße'.casefold()", 'strasse'],
    ["dict([('a', 1)], b=2)", "{'a': 1, 'b': 2}"],
    ["dict({'a': 1}, a=2)", "{'a': 2}"],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });
});

describe('texts are formatted as in Python:', () => {
  test.each([
    [
      "'%5.2f|%-5s|%05d|%x|%o|%e|%g' % (1.005, 'a', 42, 255, 8, 12345.678, 0.0001)",
      ' 1.00|a    |00042|ff|10|1.234568e+04|0.0001',
    ],
    ["'%+d|% d|%-3d|%3d' % (3, 4, 2, 1)", '+3| 4|2  |  1'],
    ["'%+05d|%-05d|%05d' % (3, 4, -2)", '+0003|4    |-0002'],
    ["'%.3s|%5s|%-5s|' % ('abcdef', 'a', 'b')", 'abc|    a|b    |'],
    ["'%.0f|%.0f|%.2f' % (0.5, 1.5, 2.675)", '0|2|2.67'],
    ["'%g|%g|%g|%G' % (1000000, 100000, 1.5, 0.00001)", '1e+06|100000|1.5|1E-05'],
    ["'%X|%#x|%#o|%c|%c' % (255, 255, 8, 65, 'q')", 'FF|0xff|0o10|A|q'],
    ["'%(a)s|%(b)03d' % {'a': 'x', 'b': 7}", 'x|007'],
    ["'%i|%d' % (3.7, -3.7)", '3|-3'],
    ["'%s|%r' % ('a', 'a')", "a|'a'"],
    ["'%*d|%.*f' % (5, 42, 1, 0.25)", '   42|0.2'],
    ["'%d%%' % 50", '50%'],
    ["'%s' % [1, 2]", '[1, 2]'],
    ["'a' % {}", 'a'],
    ["'%(a)s'|format(a=1)", '1'],
    ["'%s-%s'|format('a', 1)", 'a-1'],
    ["'{:>5}|{:<5}|{:^5}|{:*^5}'.format('a', 'b', 'c', 'd')", '    a|b    |  c  |**d**'],
    ["'{:5}|{:5}|{:05}|{:+}|{: }'.format('a', 1, -2, 3, 4)", 'a    |    1|-0002|+3| 4'],
    ["'{:,}|{:_}|{:,.2f}'.format(1234567, 1234567, 1234.5)", '1,234,567|1_234_567|1,234.50'],
    ["'{:x}|{:X}|{:b}|{:o}|{:#x}'.format(255, 255, 5, 8, 255)", 'ff|FF|101|10|0xff'],
    [
      "'{:.2f}|{:.0f}|{:.1%}|{:e}'.format(2.675, 0.5, 0.125, 12345.678)",
      '2.67|0|12.5%|1.234568e+04',
    ],
    [
      "'{:.3}|{:.3}|{:.3g}|{:g}'.format('abcdef', 1234.5, 1234.5, 0.5)",
      'abc|1.23e+03|1.23e+03|0.5',
    ],
    ["'{!r}|{!s}|{!r:>5}'.format('a', 'b', 'c')", "'a'|b|  'c'"],
    ["'{0[k]}|{1.x}|{0[l][1]}'.format({'k': 1, 'l': [2, 3]}, {'x': 2})", '1|2|3'],
    ["'{a} {b:>3} {{}}'.format(a=1, b=2)", '1   2 {}'],
    ["'{:08.3f}|{:+.1f}'.format(3.14159, 2.25)", '0003.142|+2.2'],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  test.each([
    "'%s %s' % ('a',)",
    "'%s' % ('a', 'b')",
    "'a' % 1",
    "'%d' % 'a'",
    "'%y' % 1",
    "'%(a)s' % 1",
    "'%(a)s' % {}",
    "'{:d}'.format('a')",
    "'{:5!}'.format(1)",
    "'{}'.format()",
    "'{a}'.format(b=1)",
    "'a'|truncate(2)",
  ])('%s fails', (source) => {
    expect(() => render(source)).toThrow(TemplateFault);
  });

  test.each([
    "'%999999999d' % 1",
    "'%*d' % (999999999, 1)",
    "'{:999999999}'.format('a')",
    "'{:^999999999}'.format(1)",
    "'a'|center(999999999)",
    "'a'.center(999999999)",
    '[1]|slice(999999999)|list',
  ])('%s would be too long', (source) => {
    expect(() => render(source)).toThrow(TemplateTooLong);
  });
});
