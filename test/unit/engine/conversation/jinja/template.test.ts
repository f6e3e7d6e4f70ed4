import { describe, expect, test } from 'vitest';
import { TemplateTooLong } from '../../../../../src/engine/conversation/jinja/render-limits.ts';
import { argumentsOf } from '../../../../../src/engine/conversation/jinja/json-values.ts';
import {
  JinjaTemplate,
  RaisedException,
} from '../../../../../src/engine/conversation/jinja/template.ts';
import { TemplateFault } from '../../../../../src/engine/conversation/jinja/values.ts';

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
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  test.each([
    '{{ missing.member }}',
    '{{ missing() }}',
    '{{ none.upper() }}',
    '{{ "a" + 1 }}',
    '{% for x in true %}{% endfor %}',
  ])('%s fails', (source) => {
    expect(() => render(source, {})).toThrow(TemplateFault);
  });

  test('raise_exception refuses', () => {
    expect(() => render('{{ raise_exception("No.") }}')).toThrow(RaisedException);
  });
});

describe('a template that would take too long ends:', () => {
  const DOUBLED =
    '{% set ns = namespace(s="ab") %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}';

  test.each([
    '{% for i in range(100000) %}{% for j in range(100000) %}{{ j }}{% endfor %}{% endfor %}',
    '{% for i in range(100000) %}{{ "a" * 1000 }}{% endfor %}',
    DOUBLED,
  ])('%s', (source) => {
    expect(() => render(source)).toThrow(TemplateTooLong);
  });

  test.each(['{{ range(1000000000) }}', '{{ "a" * 1000000000 }}', '{{ [1] * 1000000000 }}'])(
    '%s',
    (source) => {
      expect(() => render(source)).toThrow(TemplateFault);
    },
  );

  test('one that calls itself fails', () => {
    expect(() => render('{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}')).toThrow();
  });
});
