// Checks that the chat template renders every held-out prompt as the model was trained on it.
// usage: node check-template.mjs [CASES.json]   (default: the cases that evaluate.py wrote last)

import fs from 'node:fs';
import { Template } from '@huggingface/jinja';

const here = new URL('.', import.meta.url);
const file = process.argv[2] ?? new URL('../../.cache/tiny-chat/held-out.json', here);
const source = fs.readFileSync(new URL('template.jinja', here), 'utf8').replace(/\n+$/, '');
const template = new Template(source);
const cases = JSON.parse(fs.readFileSync(file, 'utf8'));

const wrong = cases.filter(({ kind, messages, tools, enable_thinking, prompt }) => {
  // For the template, an undefined variable is not the same as a missing one.
  const thinking = enable_thinking === undefined ? {} : { enable_thinking };
  const rendered = template.render({
    messages,
    ...(tools && { tools }),
    ...thinking,
    add_generation_prompt: true,
  });
  if (rendered !== prompt)
    console.log(`${kind}:\n${JSON.stringify(rendered)}\n${JSON.stringify(prompt)}`);
  return rendered !== prompt;
});
console.log(`${cases.length - wrong.length} of ${cases.length} prompts are rendered as trained`);
process.exitCode = wrong.length ? 1 : 0;
