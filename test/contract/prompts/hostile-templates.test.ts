import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { readTinyChat } from '../../unit/support/models/tiny-chat-llama.ts';
import { MODEL } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { quickApp } from '../support/quick-app.ts';
import { errorOf, json, type ChatBody } from '../support/read.ts';

const CONFIG = new URL('../../../models/packs/tiny-chat/tokenizer_config.json', import.meta.url);
const { chat_template: OWN } = v.parse(
  v.object({ chat_template: v.string() }),
  JSON.parse(readFileSync(CONFIG, 'utf8')),
);
const CHATML =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n';

/** tiny-chat with another chat template, in the place of its own. */
function modelWith(template: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(readTinyChat());
  const length = Buffer.byteLength(OWN);
  const source = Buffer.from(`${template}{#${'.'.repeat(length - template.length - 4)}#}`);
  const at = bytes.indexOf(OWN);
  expect([at > 0, source.length]).toEqual([true, length]);
  source.copy(bytes, at);
  return Uint8Array.from(bytes);
}

/** What a template does if the last message says "now". */
const HOSTILE = {
  loops: '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}',
  'doubles a list': '{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
  'nests lists': '{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}',
  'compares each with each': '{{ range(99999) | unique | list | length }}',
  'calls itself': '{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}',
  'writes for ever': '{% for i in range(99999) %}{{ "a" * 9999 }}{% endfor %}',
  pads: '{{ "a".ljust(999999999) }}',
};

describe('a template that', () => {
  test.each(Object.entries(HOSTILE))(
    '%s behind a word of a message is a 400, and the next request is answered',
    async (_, code) => {
      const behind = `{% set ns = namespace(l=[1]) %}{% if 'now' in messages[-1].content %}${code}{% endif %}`;
      const engine = new LlamaCppEngine(modelWith(behind + CHATML));
      const { post } = quickApp(engine);
      const ask = (content: string) =>
        post(
          '/chat/completions',
          JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }] }),
        );
      const message = expect.stringMatching(
        /chat template .* refuses these messages: its code fails/,
      );
      expect(await errorOf(await ask('Do it now.'))).toMatchObject({ status: 400, message });
      const answer = await json<ChatBody>(await ask('Hello!'));
      expect(answer.choices[0]?.message.content).toMatch(/\S/);
      expect([engine.loads, engine.isBroken]).toEqual([1, false]);
    },
  );

  test('loops for every message is a fault of its model alone', async () => {
    const engine = new LlamaCppEngine(modelWith(HOSTILE.loops));
    const { post } = quickApp(engine);
    const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] });
    for (const _ of [1, 2]) {
      const error = await errorOf(await post('/chat/completions', body));
      expect(error).toMatchObject({ status: 500, code: 'model_unusable' });
      expect(error.message).toContain('It takes too many steps');
    }
    expect(engine.isBroken).toBe(false);
  });
});
