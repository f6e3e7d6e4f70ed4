import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { JinjaTemplate } from '../../src/engine/conversation/jinja/template.ts';

/** Arguments of the chat template, and the prompt that the model was trained on. */
const casesSchema = v.array(
  v.object({
    kind: v.string(),
    messages: v.array(v.record(v.string(), v.unknown())),
    tools: v.optional(v.array(v.unknown())),
    enable_thinking: v.optional(v.boolean()),
    prompt: v.string(),
  }),
);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

const { chat_template: source } = v.parse(
  v.object({ chat_template: v.string() }),
  readJson('../../models/packs/tiny-chat/tokenizer_config.json'),
);
const template = new JinjaTemplate(source);

test.each(v.parse(casesSchema, readJson('../fixtures/tiny-chat-cases.json')))(
  'the template renders the prompt that tiny-chat was trained on: $kind',
  ({ messages, tools, enable_thinking, prompt }) => {
    const variables = {
      messages,
      ...(tools && tools.length > 0 && { tools }),
      ...(enable_thinking !== undefined && { enable_thinking }),
      add_generation_prompt: true,
    };
    const rendered = template.render(variables, { steps: 100_000, characters: 100_000 });
    expect(rendered).toBe(prompt);
  },
);
