import { JinjaTemplate } from '../../../src/engine/conversation/jinja/template.ts';
import { writeCalls } from '../../../src/engine/conversation/tools/format/call-format.ts';
import type { PackageTemplate } from './package-templates.ts';

const CALL = { name: 'f', json: '{"city": "Bern"}' };
const LIMITS = { steps: 1_000_000, characters: 1_000_000 };

/** Whether a template renders the simplest conversation. */
export function renders({ own }: PackageTemplate): boolean {
  try {
    return own([{ role: 'user', content: 'Hi' }], {}).includes('Hi');
  } catch {
    return false;
  }
}

/** A page's table of what was read from templates, in Markdown. */
export function templateTable(templates: readonly PackageTemplate[]): string {
  const head = [
    'template',
    'system',
    'call',
    'several',
    'thinking',
    'by default',
    'switch',
    'effort',
    'text',
  ];
  const rows = templates.map((template) => [
    template.name,
    takesSystem(template) ? 'yes' : 'as user',
    callOf(template),
    template.callFormat.separator === undefined ? 'no' : 'yes',
    ...thinkingOf(template),
    template.answer.begin === '' ? '' : code(template.answer.begin),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function takesSystem({ source }: PackageTemplate): boolean {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ];
  for (const tools of [null, []]) {
    const variables = {
      bos_token: '',
      eos_token: '',
      messages,
      tools,
      add_generation_prompt: true,
    };
    try {
      return new JinjaTemplate(source)
        .render({ ...variables, functions: '', datetime: '' }, LIMITS)
        .includes('Be brief.');
    } catch {
      continue;
    }
  }
  return false;
}

function callOf({ isNative, knowsTools, callFormat }: PackageTemplate): string {
  if (isNative) return code(writeCalls(callFormat, [CALL]));
  return knowsTools
    ? 'general prompt: its form cannot be read'
    : 'general prompt: it knows no tools';
}

/** Four columns. */
function thinkingOf({ thinking }: PackageTemplate): string[] {
  if (!thinking) return ['no', '', '', ''];
  const { marks, byDefault, toggle, effort, takesBudget } = thinking;
  const level = effort
    ? [[code(effort.name), effort.values.join(', ')].filter(Boolean).join(': ')]
    : [];
  return [
    `${code(marks.open)} … ${code(marks.close)}`,
    toggle ? byDefault : byDefault === 'on' ? 'always' : 'never',
    toggle ? `${code(toggle.name)}: ${String(toggle.on)}, ${String(toggle.off)}` : 'no',
    [...level, ...(takesBudget ? [code('thinking_budget')] : [])].join('; '),
  ];
}

/** Code in a table, on one line. */
function code(text: string): string {
  const line = text
    .trim()
    .replaceAll(/\s*\n\s*/g, '⏎')
    .replaceAll('|', '\\|');
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
