// Does the chat template render every held-out prompt as the model was trained on it?
// usage: node check-template.mjs [CASES.json]   (default: what evaluate.py wrote last)

import fs from 'node:fs';
import { Template } from '@huggingface/jinja';

const here = new URL('.', import.meta.url);
const file = process.argv[2] ?? new URL('../../.cache/tiny-chat/held-out.json', here);
const source = fs.readFileSync(new URL('template.jinja', here), 'utf8').replace(/\n+$/, '');
const template = new Template(source);
const cases = JSON.parse(fs.readFileSync(file, 'utf8'));

const wrong = cases.filter((it) => {
  const { messages, tools, enable_thinking } = it;
  // An undefined variable is not the same as a missing one.
  const thinking = enable_thinking === undefined ? {} : { enable_thinking };
  const rendered = template.render({
    messages,
    ...(tools && { tools }),
    ...thinking,
    add_generation_prompt: true,
  });
  if (rendered !== it.prompt)
    console.log(`${it.kind}:\n${JSON.stringify(rendered)}\n${JSON.stringify(it.prompt)}`);
  return rendered !== it.prompt;
});
console.log(`${cases.length - wrong.length} of ${cases.length} rendered as trained`);
process.exitCode = wrong.length ? 1 : 0;
