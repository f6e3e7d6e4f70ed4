/**
 * `node compare.mjs REFERENCE.json PACK_FOLDER [LIBRARY.wasm]`: asks WebLLM in headless Chromium, on the
 * software adapter, what the reference was asked, and compares every greedy step's logprobs. The folder's
 * own model.wasm is used if no other is named. Chromium: $CHROMIUM or /usr/bin/chromium.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

import { chromium } from 'playwright-core';

const TOLERANCE = 5e-3;
const TOP = 5;
const WEBGPU = [
  ...[
    '--headless=new',
    '--no-sandbox',
    '--enable-unsafe-webgpu',
    '--use-webgpu-adapter=swiftshader',
  ],
  ...['--enable-features=Vulkan', '--use-vulkan=swiftshader', '--disable-vulkan-surface'],
];
const TYPES = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};
const WEB_LLM = dirname(createRequire(import.meta.url).resolve('@mlc-ai/web-llm'));

const [referenceFile, pack, library = join(pack, 'model.wasm')] = process.argv.slice(2);
const reference = JSON.parse(await readFile(referenceFile, 'utf8'));

/** The file that a URL path stands for. */
function fileOf(path) {
  if (path === '/model.wasm') return library;
  if (path.startsWith('/pack/resolve/main/')) return join(pack, path.slice(19));
  if (path.startsWith('/web-llm/')) return join(WEB_LLM, path.slice(9));
  return undefined;
}

const server = createServer(async (request, response) => {
  const file = fileOf(new URL(request.url, 'http://localhost').pathname);
  const body = file ? await readFile(file).catch(() => undefined) : '<!doctype html>';
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': file ? (TYPES[extname(file)] ?? 'application/octet-stream') : 'text/html',
  });
  response.end(body);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

/** Runs in the page: the whole reference, asked with web-llm's public API alone. */
async function answer({ conversations, stop, url, top }) {
  const { CreateMLCEngine } = await import(`${url}/web-llm/index.js`);
  let steps = [];
  const record = {
    processLogits(logits) {
      const order = [...logits.keys()].sort((a, b) => logits[b] - logits[a]).slice(0, top);
      const largest = logits[order[0]];
      const total = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
      steps.push(order.map((token) => [token, logits[token] - largest - Math.log(total)]));
      return logits;
    },
    processSampledToken() {},
    resetState() {},
  };
  const began = performance.now();
  const engine = await CreateMLCEngine(
    'checked',
    {
      appConfig: {
        model_list: [
          { model: `${url}/pack/`, model_id: 'checked', model_lib: `${url}/model.wasm` },
        ],
      },
      logitProcessorRegistry: new Map([['checked', record]]),
    },
    {
      conv_template: {
        name: 'as it is',
        system_template: '{system_message}',
        system_message: '',
        render_empty_system_message: false,
        roles: { user: '', assistant: '', tool: '' },
        seps: [''],
        role_content_sep: '',
        role_empty_sep: '',
        stop_str: [],
        stop_token_ids: stop,
        system_prefix_token_ids: null,
      },
    },
  );
  const loadSeconds = (performance.now() - began) / 1000;
  const answers = [];
  for (const { turns } of conversations) {
    const messages = [];
    await engine.resetChat();
    for (const { text, steps: expected } of turns) {
      steps = [];
      messages.push({ role: 'user', content: text });
      const { choices, usage } = await engine.chat.completions.create({
        messages,
        temperature: 0,
        max_tokens: expected.length,
      });
      messages.push({ role: 'assistant', content: choices[0].message.content });
      answers.push({ steps, usage });
    }
  }
  return { loadSeconds, answers };
}

/** Compares one turn; prints a line and gives the largest difference. */
function compare(name, turn, { steps, usage }) {
  let largest = 0;
  let same = true;
  turn.steps.forEach((expected, at) => {
    const got = new Map(steps[at] ?? []);
    same &&= steps[at]?.[0][0] === expected[0][0];
    for (const [token, logprob] of expected.slice(0, TOP)) {
      largest = Math.max(largest, Math.abs((got.get(token) ?? -Infinity) - logprob));
    }
  });
  const { prefill_tokens_per_s: prefill, decode_tokens_per_s: decode } = usage.extra;
  console.log(
    `${name}: ${turn.tokens.length} tokens (${usage.prompt_tokens} prefilled), ${turn.steps.length} steps, ` +
      `${same ? 'same tokens' : 'OTHER TOKENS'}, logprobs differ by at most ${largest.toExponential(1)}; ` +
      `prefill ${prefill.toFixed(1)} tok/s, decode ${decode.toFixed(1)} tok/s`,
  );
  return same ? largest : Infinity;
}

const config = JSON.parse(await readFile(join(pack, 'mlc-chat-config.json'), 'utf8'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: WEBGPU,
});
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(origin);
  const { loadSeconds, answers } = await page.evaluate(answer, {
    conversations: reference.conversations,
    stop: config.conv_template.stop_token_ids,
    url: origin,
    top: 2 * TOP,
  });
  console.log(`load ${loadSeconds.toFixed(1)} s`);
  const turns = reference.conversations.flatMap(({ name, turns: all }) =>
    all.map((turn, at) => [`${name}, turn ${at + 1}`, turn]),
  );
  const differences = turns.map(([name, turn], at) => compare(name, turn, answers[at]));
  if (Math.max(...differences) > TOLERANCE) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
}
