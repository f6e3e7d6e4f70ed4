import { describe, expect, test } from 'vitest';
import type { EventOf } from '../../../src/core/operations/events/events.ts';
import type { ApiOperation, JobOf } from '../../../src/core/operations/jobs/jobs.ts';
import type { Take } from '../../../src/core/port/engine.ts';
import { MODEL, SPEECH_MODEL } from '../support/api.ts';
import { quickApp } from '../support/quick-app.ts';
import { json, type ErrorBody } from '../support/read.ts';
import { TestEngine } from '../support/test-engine.ts';

/** Jobs that cross a port are cloned, and cloning has limits of its own. */
class CloningEngine extends TestEngine {
  override run<Op extends ApiOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ) {
    return super.run(structuredClone(job), signal, take);
  }
}

const LEVELS = 100_000;
const MONSTERS = {
  'lists in lists': '['.repeat(LEVELS) + ']'.repeat(LEVELS),
  'objects in objects': `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`,
  'objects, as deep as may be': `${'{"a":'.repeat(190)}1${'}'.repeat(190)}`,
  'a list of numbers': `[${Array.from({ length: 200_000 }, () => '0').join()}]`,
  'a list of texts': `[${Array.from({ length: 200_000 }, () => '"a"').join()}]`,
  'a list of objects': `[${Array.from({ length: 50_000 }, () => '{"type":"text","text":"a"}').join()}]`,
  'an object of very many': `{${Array.from({ length: 50_000 }, (_, n) => `"${n}":0`).join()}}`,
  'a text': JSON.stringify('😀\ud800'.repeat(200_000)),
};

const FIELDS = [
  ...['model', 'messages', 'prompt', 'max_tokens', 'temperature', 'top_k', 'stop', 'logit_bias'],
  ...['seed', 'stream', 'stream_options', 'n', 'tools', 'tool_choice', 'functions', 'modalities'],
  ...['response_format', 'logprobs', 'reasoning_effort', 'chat_template_kwargs', 'suffix', 'user'],
  ...['input', 'voice', 'speed', 'lang_code', 'unknown'],
];

/** Places inside a field that may hold any value. */
const DEEPER: Record<string, (value: string) => string> = {
  messages: (value) => `[{"role":"user","content":${value}}]`,
  'messages in parts': (value) => `[{"role":"user","content":[{"type":"text","text":${value}}]}]`,
  response_format: (value) => `{"type":"json_schema","json_schema":{"schema":${value}}}`,
  'response_format enum': (value) =>
    `{"type":"json_schema","json_schema":{"schema":{"enum":${value}}}}`,
  'response_format default': (value) =>
    `{"type":"json_object","schema":{"type":"object","default":${value}}}`,
  chat_template_kwargs: (value) => `{"enable_thinking":true,"x":${value}}`,
  tools: (value) => `[{"type":"function","function":{"name":"f","parameters":${value}}}]`,
  'tools default': (value) =>
    `[{"type":"function","function":{"name":"f","parameters":{"type":"object","default":${value}}}}]`,
  tool_choice: (value) => `{"type":"function","function":{"name":${value}}}`,
  voice: (value) => `{"id":${value}}`,
};

const { post } = quickApp(new CloningEngine());

async function send(path: string, field: string, value: string): Promise<void> {
  const members = {
    model: JSON.stringify(path === '/audio/speech' ? SPEECH_MODEL : MODEL),
    messages: '[{"role":"user","content":"Hi"}]',
    prompt: '"Hi"',
    input: '"Hi"',
    voice: '"ann"',
    [field]: value,
  };
  const texts = Object.entries(members).map(([name, text]) => `"${name}":${text}`);
  const response = await post(path, `{${texts.join()}}`);
  const text = await response.text();
  expect([200, 400, 404, 413]).toContain(response.status);
  if (response.status === 200) return;
  // The error does not repeat the value.
  expect(text.length).toBeLessThan(4_000);
  const { error } = await json<ErrorBody>(new Response(text));
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
}

describe.each(Object.entries(MONSTERS))('%s', (_name, monster) => {
  test.each(['/chat/completions', '/completions', '/audio/speech'])(
    'in any field of POST %s is only a bad request',
    async (path) => {
      for (const field of FIELDS) await send(path, field, monster);
    },
  );

  test('inside a field is only a bad request', async () => {
    for (const [place, around] of Object.entries(DEEPER)) {
      const [field = ''] = place.split(' ');
      const path = field === 'voice' ? '/audio/speech' : '/chat/completions';
      await send(path, field, around(monster));
    }
  });
});
