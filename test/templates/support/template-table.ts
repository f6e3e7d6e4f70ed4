import { JinjaTemplate } from '../../../src/engine/conversation/jinja/template.ts';
import { writeCalls } from '../../../src/engine/conversation/tools/format/call-format.ts';
import type { PackageTemplate } from './package-templates.ts';

const CALL = { name: 'f', json: '{"city": "Bern"}' };
const LIMITS = { steps: 1_000_000, characters: 1_000_000 };

/** Variables that turn thinking on or off, and their values. */
const SWITCHES: [name: string, ...values: unknown[]][] = [
  ['enable_thinking', true, false],
  ['thinking', true, false],
  ['reasoning_effort', 'low', 'high', 'none'],
  ['reasoning', true, false],
];

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
  const head = ['template', 'system', 'call', 'several', 'thinking', 'switch'];
  const rows = templates.map((template) => [
    template.name,
    takesSystem(template) ? 'yes' : 'as user',
    callOf(template),
    template.callFormat.separator === undefined ? 'no' : 'yes',
    template.marks ? code(template.marks.open) : 'no',
    switchOf(template),
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

function switchOf({ own, marks }: PackageTemplate): string {
  if (!marks) return '';
  const prompt = (options: Record<string, unknown>) => {
    try {
      return own([{ role: 'user', content: 'Hi' }], options);
    } catch {
      return '';
    }
  };
  const works = SWITCHES.filter(([name, ...values]) => {
    return new Set(values.map((value) => prompt({ [name]: value }))).size > 1;
  });
  return works.map(([name]) => code(name)).join(', ') || 'no';
}

/** Code in a table, on one line. */
function code(text: string): string {
  const line = text
    .trim()
    .replaceAll(/\s*\n\s*/g, '⏎')
    .replaceAll('|', '\\|');
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
