import { expect, test } from 'vitest';
import type { TemplateMessage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { chatTemplate } from '../../../../../src/engine/conversation/prompt/chat-template.ts';
import { templateTools } from '../../../../../src/engine/conversation/tools/template-tools.ts';
import { FACTS } from '../../text/tools/known-call-formats.ts';

/** Neither thoughts nor marks around texts. */
const PLAIN = { thinking: undefined, answer: { begin: '', around: [] } };

test('a template with a place for one call gets several one after the other, each with its result', () => {
  const single = `
{%- if tools %}{{- '# Valid channels: analysis, commentary, final.' + tools | tojson }}{%- endif %}
{%- for message in messages %}
  {{- '<' + message.role + '>' + (message.thinking or '') + message.content }}
  {%- if message.tool_calls %}{{- message.tool_calls[0].function.arguments | tojson }}{%- endif %}
{%- endfor %}`;
  const { render } = templateTools(chatTemplate(single, FACTS), { parts: PLAIN, stops: [] });
  const call = (id: string) => ({ id, name: 'get_weather', arguments: `{"city": "${id}"}` });
  const result = (id: string): TemplateMessage => ({
    role: 'tool',
    content: `sunny in ${id}`,
    toolCallId: id,
  });
  const messages: TemplateMessage[] = [
    { role: 'assistant', content: '', reasoning: 'Two.', toolCalls: [call('Bern'), call('Basel')] },
    ...[result('Bern'), result('Basel')],
  ];
  expect(render(messages, {})).toBe(
    '<assistant>Two.{"city": "Bern"}<tool>sunny in Bern<assistant>{"city": "Basel"}<tool>sunny in Basel',
  );
});
