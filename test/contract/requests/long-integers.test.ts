import { expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';

const LONG = '1234567890123456789';
const SCHEMA = `{"type":"object","properties":{"id":{"const":${LONG},"maximum":9223372036854775807}}}`;

const body = (fields: string) => `{"model":"${MODEL}","seed":${LONG},${fields}}`;
const MESSAGES = '"messages":[{"role":"user","content":"Hi"}]';
const CALLED = `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"id":${LONG}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}]`;

test.each([
  [
    '/chat/completions',
    `${MESSAGES},"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${SCHEMA}}}`,
  ],
  ['/chat/completions', `${MESSAGES},"guided_json":${JSON.stringify(SCHEMA)}`],
  [
    '/chat/completions',
    `${MESSAGES},"tools":[{"type":"function","function":{"name":"f","parameters":${SCHEMA}}}]`,
  ],
  [
    '/responses',
    `"input":"Hi","text":{"format":{"type":"json_schema","name":"a","schema":${SCHEMA}}}`,
  ],
  ['/responses', `"input":"Hi","tools":[{"type":"function","name":"f","parameters":${SCHEMA}}]`],
  ['/messages', `"max_tokens":9,${MESSAGES},"tools":[{"name":"f","input_schema":${SCHEMA}}]`],
  ['/messages', `"max_tokens":9,"messages":${CALLED}`],
])('%s keeps all digits of %s', async (path, fields) => {
  const api = await openApi();
  const response = await api.post(path, body(fields));
  expect(response.status).toBe(200);
  const { format, tools, prompt } = api.engine.last.job;
  const schema = format?.type === 'json_schema' ? format.schema : tools?.tools[0]?.parameters;
  const told = prompt.kind === 'chat' ? prompt.messages[1]?.toolCalls?.[0]?.arguments : undefined;
  if (told === undefined) {
    const id = { const: BigInt(LONG), maximum: 2n ** 63n - 1n };
    expect(schema).toMatchObject({ properties: { id } });
  } else expect(told).toBe(`{"id":${LONG}}`);
});

test('they are sent back as they were', async () => {
  const api = await openApi();
  const tools = `[{"type":"function","name":"f","parameters":${SCHEMA}}]`;
  for (const stream of [true, false]) {
    const asked = body(`"input":"Hi","tools":${tools},"stream":${stream}`);
    expect(await (await api.post('/responses', asked)).text()).toContain(SCHEMA);
  }
});

test.each([
  'temperature',
  'top_p',
  'max_tokens',
  'top_k',
  'min_p',
  'logprobs',
  'n',
  'stop',
  'user',
])('%s may be any number without a failure of ours', async (field) => {
  const api = await openApi();
  for (const number of [LONG, `-${LONG}`, '1e400', `${LONG}.5`, `0.${LONG}`]) {
    const response = await api.post('/chat/completions', body(`${MESSAGES},"${field}":${number}`));
    expect([200, 400]).toContain(response.status);
  }
});

test.each([
  ['const', 400],
  ['maximum', 400],
])('1e400 as %s is refused, with its place', async (keyword, status) => {
  const api = await openApi();
  const schema = `{"type":"object","properties":{"v":{"${keyword}":1e400}},"required":["v"]}`;
  const format = `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}`;
  const response = await api.post('/chat/completions', body(`${MESSAGES},${format}`));
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(
    `response_format.json_schema.schema.properties.v.${keyword}`,
  );
});
