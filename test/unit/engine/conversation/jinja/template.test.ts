import {
  TemplateFault,
  TemplateTooLong,
} from '../../../../../src/engine/conversation/jinja/limits/faults.ts';
import { describe, expect, test } from 'vitest';
import { argumentsOf } from '../../../../../src/engine/conversation/jinja/values/json-values.ts';
import {
  JinjaTemplate,
  RaisedException,
} from '../../../../../src/engine/conversation/jinja/template.ts';

const LIMITS = { steps: 100_000, characters: 100_000 };

const VARIABLES = {
  none: 'shadowed',
  list: [3, 1, 2],
  dict: { b: 1, a: null, items: 'own' },
  users: [
    { name: 'Ann', role: { rank: 2 } },
    { name: 'bob', role: { rank: 1 } },
  ],
  text: ' one  two ',
  half: 0.5,
  args: argumentsOf('{"id": 12345678901234567890, "share": 1.0, "few": 1e3, "n": 7}'),
};

function render(source: string, variables: Record<string, unknown> = VARIABLES): string {
  return new JinjaTemplate(source).render(variables, LIMITS);
}

describe('a template means what it means in Python:', () => {
  test.each([
    [
      '{{ true }} {{ [1, "a", 1.0, None] }} {{ {"k": (1, 2)} }}',
      "True [1, 'a', 1.0, None] {'k': (1, 2)}",
    ],
    ['{% for x in list %}{{ y }}{% set y = x %}{% endfor %}', ''],
    [
      '{% set ns = namespace(n=0) %}{% for x in list %}{% set ns.n = ns.n + x %}{% endfor %}{{ ns.n }}',
      '6',
    ],
    ['{{ users | join(", ", attribute="name") }}', 'Ann, bob'],
    ['{{ users | map(attribute="role.rank") | sort | join }}', '12'],
    ['{{ users | selectattr("role.rank", "gt", 1) | map(attribute="name") | first }}', 'Ann'],
    ['{{ none_such | selectattr("x") | list }}{{ none_such | upper }}', '[]'],
    [
      '{% for x in list if x > 1 %}{{ loop.index }}{{ x }}{% if loop.last %}!{% endif %}{% endfor %}',
      '1322!',
    ],
    ['{% for x in list %}{% if x == 1 %}a{% break %}{% endif %}{{ x }}{% endfor %}', '3a'],
    ['{% macro f(a, b=2) %}{{ a }}{{ b }}{{ kwargs }}{% endmacro %}{{ f(1, c=3) }}', "12{'c': 3}"],
    ['{{ dict.items() | list | length }} {{ dict["items"] }} {{ dict.get("a", 5) }}', '3 own None'],
    [
      '{{ dict | tojson }} {{ dict | dictsort | map("first") | join }}',
      '{"b": 1, "a": null, "items": "own"} abitems',
    ],
    ['{{ {1: "x"}[1] }} {{ 7 // 2 }} {{ -7 % 3 }} {{ 7 / 7 }} {{ "ab" * 2 }}', 'x 3 2 1.0 abab'],
    ['{{ text.split() }} {{ text.strip("o ") }} {{ "a.b"[::-1] }}', "['one', 'two'] ne  tw b.a"],
    ['{{ "{}-{}".format(1, "b") }} {{ "%s:%d" % ("a", 2) }}', '1-b a:2'],
    ['{{ missing is defined }} {{ missing | default("d") }} {{ 0 or "x" }}', 'False d x'],
    [
      '{{ args | tojson }} {{ args.few }}',
      '{"id": 12345678901234567890, "share": 1.0, "few": 1000.0, "n": 7} 1000.0',
    ],
    ['{{ half }} {{ half | string }} {{ (2 > 1) | int }}', '0.5 0.5 1'],
    ['{{ 6 is divisibleby(3) }} {{ 6 is not divisibleby 4 }}', 'True True'],
    ['{{ "A" | lower is eq "a" and 2 is gt(1) }} {{ not 1 is eq(6 - 5) }}', 'True False'],
    [
      '{{ 1 is in [1, 2] }} {{ 5 is not in(list) }} {{ 4 is divisibleby(2) is eq(true) }}',
      'True True True',
    ],
    ['{% for x in list if x is ne(1) %}{{ x }}{% endfor %}', '32'],
    ['{% if list is defined and 1 is odd %}a{% else %}b{% endif %}', 'a'],
    [
      '{{ list | batch(2) | list }} {{ list | batch(2, 0) | list }}',
      '[[3, 1], [2]] [[3, 1], [2, 0]]',
    ],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  // What Python's jinja2 3.1 makes of them, with trim_blocks and lstrip_blocks.
  test.each([
    ['a\n  {% raw %}\n {{ x }}{% if %}\n  {% endraw %}\nb', 'a\n\n {{ x }}{% if %}\nb'],
    ['a {%- raw -%} \n {{x}} {%- endraw -%} \n b', 'a{{x}}b'],
    ['{% raw %}{% endraw %}', ''],
    ['x{%+ raw %}y{% endraw +%}\nz', 'xy\nz'],
    ['  {%+ raw %}y{%+ endraw +%}\nz', '  y\nz'],
    ['  {%+ if 1 +%}\n y\n  {%+ endif %}\nz', '  \n y\n  z'],
    ["{# {% raw %} #}a{{ '{% raw %}' }}{# {% endraw %} #}", 'a{% raw %}'],
    ["{{ '}}' }}{% raw %}'{% endraw %}{{ x }}'", "}}''"],
    ['{% raw %}{# c #}{% endraw %}', '{# c #}'],
    ['{% raw %}“a” \\ 😀{% endraw %}', '“a” \\ 😀'],
    ['{% raw %} a\n   {%- endraw %}', ' a'],
    ['{% raw %} a\n   {%+ endraw %}', ' a\n   '],
    ['{% with a = 1 %}{{ a }}{% set c = 2 %}{% endwith %}{{ a }}{{ c }}', '1'],
    ['{% set a = 5 %}{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}', '155'],
    ['{% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q }}', '1'],
    [
      '{% for x in [1, 2, 3] %}{% with y = x * 2 %}{{ loop.index }}{% if x == 2 %}{% break %}{% endif %}{{ y }}{% endwith %}{% endfor %}',
      '122',
    ],
    ['{% with (a, b) = (1, 2) %}{{ a }}{{ b }}{% endwith %}', '12'],
    ['{% with a, b = (1, 2), c = 3 %}{{ a }}{{ b }}{{ c }}{% endwith %}', '123'],
    ["{% with f = {'a': [1, 2]}, g = [3, 4] %}{{ f.a[1] }}{{ g }}{% endwith %}", '2[3, 4]'],
    ['{%- with a = 1 -%} {{ a }} {%- endwith -%} x', '1x'],
    ['{% with a = 1 %}{% filter upper %}a{{ a }}{% endfilter %}b{% endwith %}', 'A1b'],
    ['{% filter trim | replace("A", "b") | upper %} Axa {% endfilter %}.', 'BXA.'],
    ['{% set x | upper | trim %} ab {% endset %}[{{ x }}]', '[AB]'],
    [
      '{% macro m(a) %}<{{ caller(a) }}>{% endmacro %}{% call(z) m(3) %}{{ z }}!{% endcall %}',
      '<3!>',
    ],
    ['a {%- generation -%} b {%- endgeneration -%} c', 'abc'],
    ["{{ ('a',) }}", "('a',)"],
    ["{{ 'a' in ('a',) }}", 'True'],
    ["{{ ('a', 'b',) }}", "('a', 'b')"],
    ["{{ ['a', 'b',] }}", "['a', 'b']"],
    ["{{ {'a': 1,} }}", "{'a': 1}"],
    ["{{ '%s' % ('a',) }}", 'a'],
    ["{{ (('a',),) }}", "(('a',),)"],
    ["{{ [('a',),] }}", "[('a',)]"],
    ["{{ 'a' is in ('a',) }}", 'True'],
    ['{{ 1 is eq(1,) }}', 'True'],
    ['{{ dict(a=1,) }}', "{'a': 1}"],
    ["{{ 'x'.replace('x', 'y',) }}", 'y'],
    ["{{ ('a',)[0] }}", 'a'],
    ["{{ ('a', ('b',))|string }}", "('a', ('b',))"],
    ["{{ {'k': ('v',),} }}", "{'k': ('v',)}"],
    ["{{ ('a',) + ('b',) }}", "('a', 'b')"],
    ["{{ not ('a',) }}", 'False'],
    ["{{ ('a' if 1 else 'b',) }}", "('a',)"],
    ["{{ 'it\\'s 2nd-hand (used) <b>'|title }}", "It's 2nd-Hand (Used) <B>"],
    ['{{ 3.5|round }}', '4.0'],
    ['{{ -2.5|round }}', '-2.0'],
    ['{{ 0.125|round(2) }}', '0.12'],
    ["{{ ' a b '.split(None, 1) }}", "['a', 'b ']"],
    ["{{ ' a '.split(None, 0) }}", "['a ']"],
    ["{{ '😀b'.find('b') }}", '1'],
    ["{{ '😀b😀'.rfind('😀') }}", '2'],
    ["{{ '😀'.count('') }}", '2'],
    ["{{ ''.count('') }}", '1'],
    ["{{ '😀b'.replace('', '-') }}", '-😀-b-'],
    ["{{ '😀b'[1] }}", 'b'],
    ["{{ '😀b'[:1] }}", '😀'],
    ["{{ '😀b'[::-1] }}", 'b😀'],
    ["{{ '😀b'|length }}", '2'],
    ["{{ '%s %s' % ('a', 'b') }}", 'a b'],
    ["{{ '%s' % [1] }}", '[1]'],
    ["{{ '%s' % 1 }}", '1'],
  ])('%j', (source, expected) => {
    expect(render(source, {})).toBe(expected);
  });

  test.each([
    '{{ missing.member }}',
    '{{ missing() }}',
    '{{ none.upper() }}',
    '{{ "a" + 1 }}',
    '{{ "%s %s" % ("a",) }}',
    '{% for x in true %}{% endfor %}',
  ])('%s fails', (source) => {
    expect(() => render(source, {})).toThrow(TemplateFault);
  });

  test('raise_exception refuses', () => {
    expect(() => render('{{ raise_exception("No.") }}')).toThrow(RaisedException);
  });
});

describe('a template that would take too long ends:', () => {
  /** Lists that are small, but not if they are written. */
  const NESTED =
    '{% set ns = namespace(l=[1], m=[1]) %}{% for i in range(60) %}' +
    '{% set ns.l = [ns.l, ns.l] %}{% set ns.m = [ns.m, ns.m] %}{% endfor %}';
  const DOUBLED =
    '{% set ns = namespace(s="ab") %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}';

  test.each([
    '{% for i in range(100000) %}{% for j in range(100000) %}{{ j }}{% endfor %}{% endfor %}',
    '{% for i in range(100000) %}{{ "a" * 1000 }}{% endfor %}',
    DOUBLED,
    '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
    `${NESTED}{{ ns.l }}`,
    `${NESTED}{{ ns.l | tojson }}`,
    `${NESTED}{{ ns.l == ns.m }}`,
    `${NESTED}{{ ns.l < ns.m }}`,
    '{{ range(100000) | unique | list | length }}',
    '{% set r = range(100000) %}{% for i in r %}{% if -1 in r %}{% endif %}{% endfor %}',
    '{% set s = "a" * 99999 %}{% for i in range(50000) %}{% if s | length %}{% endif %}{% endfor %}',
    '{% set s = "a" * 99999 %}{% for i in range(50000) %}{% if "b" in s %}{% endif %}{% endfor %}',
    '{% set s = "a" * 99999 %}{% for i in range(50000) %}{% set t = s.strip(s) %}{% endfor %}',
    '{% set s = "a" * 99999 %}{% for i in range(50000) %}{% set t = s[::-1] %}{% endfor %}',
    '{{ "a" | indent(1000000000) }}',
    '{{ [1] | tojson(indent=1000000000) }}',
    '{{ "a".ljust(1000000000) }}',
    '{{ "%999999999d" % 1 }}',
    '{{ range(9999) | join("a" * 9999) }}',
    '{{ ("a" * 9999).replace("a", "b" * 9999) }}',
    '{{ [1] | batch(1000000000, 0) }}',
    '{{ [[]] * 1000000000 }}',
    '{{ strftime_now("%A" * 40000) }}',
    '{{ "a" * 1000000000 }}',
  ])('%s', (source) => {
    expect(() => render(source)).toThrow(TemplateTooLong);
  });

  test('a range of more than 100,000 numbers', () => {
    expect(() => render('{{ range(1000000000) }}')).toThrow(TemplateFault);
  });

  test('nothing, many times', () => {
    expect(render('{{ [] * 1000000000 }}{{ "" * 1000000000 }}')).toBe('[]');
  });

  test('a directive that never ends', () => {
    expect(() => render('{{ ("%" ~ "0" * 90000) % 1 }}')).toThrow('unsupported format character');
  });

  test.each([
    ['white space', `${' '.repeat(300_000)}x`],
    ['characters', 'x'.repeat(2_000_000)],
    ['tests within tests', `{{ ${'x is eq('.repeat(100_000)}`],
    ['brackets', `{{ ${'('.repeat(100_000)}`],
    ['tags that are not closed', '{% with a = 1 %}'.repeat(50_000)],
    ['raw text that is not closed', '{% raw %}'.repeat(50_000)],
  ])('a source with very much: %s', (_, source) => {
    expect(() => render(source)).toThrow();
  });

  test('one that calls itself fails', () => {
    expect(() => render('{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}')).toThrow();
  });
});
