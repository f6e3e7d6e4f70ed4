import { readFileSync } from 'node:fs';
import { Template } from '@huggingface/jinja';
import * as v from 'valibot';
import { expect, test } from 'vitest';

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
const template = new Template(source);

test.each(v.parse(casesSchema, readJson('../fixtures/tiny-chat-cases.json')))(
  'the template renders the prompt that tiny-chat was trained on: $kind',
  ({ messages, tools, enable_thinking, prompt }) => {
    const rendered = template.render({
      messages,
      ...(tools && tools.length > 0 && { tools }),
      ...(enable_thinking !== undefined && { enable_thinking }),
      add_generation_prompt: true,
    });
    expect(rendered).toBe(prompt);
  },
);
