import { readFileSync } from 'node:fs';
import type OpenAI from 'openai';
import * as v from 'valibot';
import { askWithTools } from '../support/chat.ts';
import { expect, test, TINY } from '../support/fixtures.ts';

type Message = OpenAI.ChatCompletionMessageParam;

/** Held-out conversations and the answers that the model was taught, written by its evaluation. */
const casesSchema = v.array(
  v.object({
    kind: v.string(),
    prompt: v.string(),
    messages: v.array(v.custom<Message>((value) => typeof value === 'object')),
    tools: v.optional(
      v.array(v.custom<OpenAI.ChatCompletionTool>((value) => typeof value === 'object')),
    ),
    enable_thinking: v.optional(v.boolean()),
    expect: v.string(),
  }),
);
const file = new URL('../../fixtures/tiny-chat-cases.json', import.meta.url);
const cases = v.parse(casesSchema, JSON.parse(readFileSync(file, 'utf8')));

for (const [kind, ofKind] of Map.groupBy(cases, (each) => each.kind)) {
  test(`tiny-chat answers as it was taught: ${kind}`, async ({ ready }) => {
    const answers = await ready.evaluate(
      async ([model, prompts]) => {
        const texts: string[] = [];
        for (const prompt of prompts) {
          const request = { model, prompt, temperature: 0, max_tokens: 400 };
          const { choices } = await window.client.completions.create(request);
          texts.push(choices[0]?.text ?? '');
        }
        return texts;
      },
      [TINY, ofKind.map(({ prompt }) => prompt)] as const,
    );
    expect(answers).toEqual(ofKind.map(({ expect: expected }) => expected));
  });
}

/** The tool calls in a taught answer. */
function taught(text: string): unknown[] {
  return [...text.matchAll(/<tool_call>\n(.*)\n<\/tool_call>/g)].map(
    ([, json = '']) => JSON.parse(json) as unknown,
  );
}

const withTools = cases.filter(({ tools }) => tools !== undefined);

for (const [kind, ofKind] of Map.groupBy(withTools, (each) => each.kind)) {
  test(`with tool_choice auto, tiny-chat answers as it was taught: ${kind}`, async ({ ready }) => {
    for (const { messages, tools = [], enable_thinking, expect: said } of ofKind) {
      const rest =
        enable_thinking === undefined ? {} : { chat_template_kwargs: { enable_thinking } };
      const answer = await askWithTools(ready, { messages, tools, ...rest });
      const calls = answer.calls.map((call) => ({
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments) as unknown,
      }));
      const [, text = said] = /<\/think>\n\n(.*)$/s.exec(said) ?? [];
      expect(calls).toEqual(taught(said));
      expect(answer.content).toBe(calls.length > 0 ? null : text);
      expect(answer.reason).toBe(calls.length > 0 ? 'tool_calls' : 'stop');
    }
  });
}
