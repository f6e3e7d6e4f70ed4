import { describe, expect, test } from 'vitest';
import { TemplateFault } from '../../../../../src/engine/conversation/jinja/limits/faults.ts';
import { JinjaTemplate } from '../../../../../src/engine/conversation/jinja/template.ts';

const LIMITS = { steps: 100_000, characters: 100_000 };

function render(source: string): string {
  return new JinjaTemplate(source).render({}, LIMITS);
}

const TREE =
  "{% set t = [{'n':'a','c':[{'n':'b','c':[]},{'n':'d','c':[{'n':'e','c':[]}]}]},{'n':'f','c':[]}] %}";
const MACROS =
  '{% macro m(a=1) %}<{{ caller(a) }}>{% endmacro %}' +
  "{% set ns = namespace(m=m, in={'m': m}) %}{% set list = [m] %}";

// The results are those of Python's jinja2 3.1.6, with trim_blocks and lstrip_blocks.
describe('tags do what they do in Python:', () => {
  test.each([
    ['{% for x in t recursive %}{{ x.n }}({{ loop(x.c) }}){% endfor %}', 'a(b()d(e()))f()'],
    ['{% for x in t recursive %}{{ loop.depth }}{{ loop(x.c) }}{% endfor %}', '12231'],
    ['{% for x in t recursive %}{{ loop.depth0 }}{{ loop(x.c) }}{% endfor %}', '01120'],
    ['{% for x in t recursive %}{{ loop(x.c) }}{% else %}-{% endfor %}', '---'],
    ["{% for x in t if x.n != 'd' recursive %}{{ x.n }}{{ loop(x.c) }}{% endfor %}", 'abf'],
    ['{%- for x in t recursive -%} {{ x.n }} {{- loop(x.c) -}} {%- endfor -%}', 'abdef'],
    ['{% for x in t|list recursive %}{{ loop(x.c)|upper }}{{ x.n }}{% endfor %}', 'BEDaf'],
    ['{% for recursive in t recursive %}{{ recursive.n }}{% endfor %}', 'af'],
    ['{% set recursive = t %}{% for x in recursive %}{{ x.n }}{% endfor %}', 'af'],
    ['{% set recursive = 1 %}{% for x in t if recursive %}{{ x.n }}{% endfor %}', 'af'],
    ['{% set recursive = [1] %}{% for x in [0] + recursive %}{{ x }}{% endfor %}', '01'],
    ['{% for x in t recursive %}{{ x.n }}{% break %}{% endfor %}', 'a'],
    ['{% for x in [1, 1, 2, 2, 1] %}{{ loop.changed(x)|int }}{% endfor %}', '10101'],
    ['{% for x in t %}{{ loop.depth }}{% endfor %}', '11'],
  ])('%s', (source, expected) => {
    expect(render(TREE + source)).toBe(expected);
  });

  test.each([
    ['{% call(z) ns.m(3) %}{{ z }}!{% endcall %}', '<3!>'],
    ['{% call ns.m() %}!{% endcall %}', '<!>'],
    ["{% call(z, y=4) ns.in['m'](a=5) %}{{ z }}{{ y }}{% endcall %}", '<54>'],
    ['{% call(z) list[0](*[7]) %}{{ z }}{% endcall %}', '<7>'],
    ["{% call(z) ns.in.get('m')(**{'a': 8}) %}{{ z }}{% endcall %}", '<8>'],
    ['{% call m() %}!{% endcall %}', '<!>'],
  ])('%s', (source, expected) => {
    expect(render(MACROS + source)).toBe(expected);
  });

  test.each([
    ['{% block a %}x{% endblock a %}y', 'xy'],
    ['  {% block a %}\n  x\n  {% endblock %}\ny', '  x\ny'],
    ['{%- block a -%} x {%- endblock -%} y', 'xy'],
    ['{% set v = 1 %}{% block a %}{{ v }}{% set v = 2 %}{{ v }}{% endblock %}{{ v }}', '121'],
    ['{% for i in [1, 2] %}{% block a %}[{{ i }}]{% endblock %}{% endfor %}', '[][]'],
    ['{% for i in [1, 2] %}{% block a scoped %}[{{ i }}]{% endblock %}{% endfor %}', '[1][2]'],
    ['{% block a %}{% set q = 3 %}{% block b %}{{ q }}x{% endblock %}{% endblock %}', 'x'],
    ['{% macro m(a) %}{{ a }}!{% endmacro %}{% block a %}{{ m(1) }}{% endblock %}', '1!'],
    ['{% set scoped = 1 %}{% block scoped %}{{ scoped }}{% endblock %}', '1'],
    ["{% autoescape false %}<{{ '<&' }}{% set u = 1 %}{% endautoescape %}{{ u }}", '<<&'],
    ["{% set e = false %}{% autoescape e %}{{ '<' }}{% endautoescape %}", '<'],
    ["{% autoescape nothing %}{{ '<' }}{% endautoescape %}", '<'],
    ["{% set x | replace('a=', 'b') %}a={% endset %}{{ x }}", 'b'],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  test.each([
    ['{% for x in [[1]] %}{{ loop(x) }}{% endfor %}', "'recursive' marker"],
    ["{% autoescape true %}{{ '<' }}{% endautoescape %}", '{% autoescape true %}'],
    ['{% autoescape %}{% endautoescape %}', '{% autoescape %}'],
    ['{% block %}{% endblock %}', '{% block %}'],
    ['{% call m %}y{% endcall %}', '{% call %}'],
    ['{% call m()|upper %}y{% endcall %}', '{% call %}'],
    ['{% call %}y{% endcall %}', '{% call %}'],
    ['{% call(a) %}y{% endcall %}', '{% call %}'],
    ['{% block a %}x', '{% block %} is not closed'],
    ['{% if 1 %}x', '{% if %} is not closed'],
    ['{% for x in [1] %}', '{% for %} is not closed'],
    ['{% set x %}a', '{% set %} is not closed'],
    ['{% macro f() %}', '{% macro %} is not closed'],
    ['{% with a = 1 %}', '{% with %} is not closed'],
    ['{% if 1 %}{% endfor %}', '{% endfor %} stands inside {% if %}'],
    ['{% with %}{% endblock %}', '{% endblock %} stands inside {% with %}'],
    ['x{% endblock %}', '{% endblock %} closes nothing'],
  ])('%s is refused with the tag', (source, named) => {
    expect(() => render(source)).toThrow(TemplateFault);
    expect(() => render(source)).toThrow(named);
  });

  test('a loop that calls itself without end fails', () => {
    expect(() => render('{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}')).toThrow();
  });
});

describe('numbers are rounded as in Python:', () => {
  test.each([
    ['2.675|round(2)', '2.67'],
    ['1.005|round(2)', '1.0'],
    ['0.5|round', '0.0'],
    ['(-0.4)|round', '-0.0'],
    ['2.5|round', '2.0'],
    ['42|round', '42'],
    ['42.0|round', '42.0'],
    ['15|round(-1)', '20'],
    ['25|round(-1)', '20'],
    ['1250.0|round(-2)', '1200.0'],
    ['5|round(precision=-1)', '0'],
    ["42.55|round(1, 'floor')", '42.5'],
    ["42.51|round(1, method='ceil')", '42.6'],
    ["(-0.5)|round(0, 'ceil')", '0.0'],
    ["1234|round(-2, 'ceil')", '1300.0'],
    ['true|round', '1'],
    ['0.1|round(30)', '0.1'],
    ['1.5|round(400)', '1.5'],
    ['123456.0|round(-400)', '0.0'],
  ])('%s', (source, expected) => {
    expect(render(`{{ ${source} }}`)).toBe(expected);
  });

  test.each(["'a'|round", "1.5|round(1, 'x')", '1.5|round(1.5)'])('%s fails', (source) => {
    expect(() => render(`{{ ${source} }}`)).toThrow(TemplateFault);
  });
});
