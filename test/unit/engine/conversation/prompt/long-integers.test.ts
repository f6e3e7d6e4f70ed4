import { expect, test } from 'vitest';
import type { TemplateMessage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { chatTemplate } from '../../../../../src/engine/conversation/prompt/chat-template.ts';
import { generalToolPrompt } from '../../../../../src/engine/conversation/tools/general-prompt.ts';

const LONG = 1234567890123456789n;
const FACTS = {
  chatTemplate: undefined,
  bosToken: '',
  eosToken: '',
  controlTokens: [],
  tokenIds: new Map<string, number>(),
};
const TOOLS = [{ name: 'f', parameters: { properties: { id: { const: LONG } } } }];
const CALLED: TemplateMessage[] = [
  { role: 'user', content: 'Hi' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'a', name: 'f', arguments: `{"id": ${LONG}, "all": [-${LONG}]}` }],
  },
];

test('a template writes all digits of long integers', () => {
  const source =
    '{{ tools | tojson }}{% for m in messages %}{% for c in m.tool_calls or [] %}' +
    '{{ c.function.arguments | tojson }} id={{ c.function.arguments.id }}{% endfor %}{% endfor %}';
  const text = chatTemplate(source, FACTS)(CALLED, {}, TOOLS);
  expect(text).toContain(`{"const": ${LONG}}`);
  expect(text).toContain(`{"id": ${LONG}, "all": [-${LONG}]} id=${LONG}`);
});

test('so does the general prompt', () => {
  const source = '{% for m in messages %}{{ m.content }}{% endfor %}';
  const text = generalToolPrompt(chatTemplate(source, FACTS))(CALLED, {}, TOOLS);
  expect(text).toContain(`{"const":${LONG}}`);
  expect(text).toContain(`{"id": ${LONG}, "all": [-${LONG}]}`);
});
