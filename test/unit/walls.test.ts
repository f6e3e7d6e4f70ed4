import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';

/** A file of a realm, what it may import and what it may not, separated by white space. */
interface Wall {
  file: string;
  open: string;
  closed: string;
}

const OUTSIDE = '../../scripts/build.ts ../../test/unit/walls.test.ts ../../dist/lib/sw.js';

const WALLS: Wall[] = [
  {
    file: 'src/core/a.ts',
    open: './b.ts ./sub/b.ts valibot idb',
    closed: `../page/b.ts ../engine/b.ts ../console/b.ts ../node/b.ts ../../sw/b.ts ../index.ts
      openai workbox-window @mlc-ai/web-llm node:fs fs ${OUTSIDE}`,
  },
  {
    file: 'src/core/sub/a.ts',
    open: '../b.ts ./b.ts ../other/b.ts',
    closed: '../../page/b.ts ../../engine/deep/b.ts ../../index.ts ../../../sw/b.ts',
  },
  {
    file: 'sw/a.ts',
    open: './b.ts ../src/core/b.ts valibot idb',
    closed: `../src/page/b.ts ../src/engine/b.ts ../src/console/b.ts ../src/node/b.ts
      ../src/index.ts @mlc-ai/web-llm @huggingface/jinja openai workbox-precaching node:fs`,
  },
  {
    file: 'sw/chat/a.ts',
    open: './b.ts ../context.ts ../generation/b.ts ../http/b.ts ../../src/core/models/b.ts valibot',
    closed: `../completions/b.ts ../speech/b.ts ../models/b.ts ../responses/b.ts ../messages/b.ts
      ../../src/engine/b.ts ../../src/page/b.ts openai node:fs`,
  },
  {
    file: 'sw/completions/a.ts',
    open: './b.ts ../generation/b.ts ../../src/core/b.ts',
    closed: '../chat/b.ts ../speech/b.ts ../models/b.ts ../responses/b.ts ../../src/engine/b.ts',
  },
  {
    file: 'sw/responses/a.ts',
    open: './b.ts ../generation/b.ts ../../src/core/b.ts valibot',
    closed: '../chat/b.ts ../messages/b.ts ../completions/b.ts ../../src/engine/b.ts',
  },
  {
    file: 'sw/messages/a.ts',
    open: './b.ts ../generation/b.ts ../../src/core/b.ts valibot',
    closed: '../chat/b.ts ../responses/b.ts ../completions/b.ts ../../src/engine/b.ts',
  },
  {
    file: 'sw/speech/a.ts',
    open: './b.ts ../http/b.ts ../../src/core/b.ts',
    closed: '../chat/b.ts ../completions/b.ts ../models/b.ts ../../src/engine/b.ts',
  },
  {
    file: 'sw/models/a.ts',
    open: './b.ts ../http/b.ts ../../src/core/b.ts',
    closed: '../chat/b.ts ../completions/b.ts ../speech/b.ts ../../src/engine/b.ts',
  },
  {
    file: 'src/page/a.ts',
    open: './b.ts ../core/b.ts workbox-window idb',
    closed: `../engine/b.ts ../console/b.ts ../node/b.ts ../../sw/b.ts ../index.ts ../on-demand.ts
      valibot workbox-precaching @mlc-ai/web-llm openai node:fs ${OUTSIDE}`,
  },
  {
    file: 'src/engine/a.ts',
    open: './b.ts ../core/b.ts @huggingface/jinja hash-wasm valibot idb',
    closed: `../page/b.ts ../console/b.ts ../node/b.ts ../../sw/b.ts ../index.ts
      @mlc-ai/web-llm openai workbox-window node:fs ${OUTSIDE}`,
  },
  {
    file: 'src/engine/mcp/a.ts',
    open: './b.ts ../workers/b.ts ../../core/b.ts valibot zod @modelcontextprotocol/client',
    closed:
      '../host/b.ts ../models/b.ts ../road/road.ts ../../page/b.ts ../../../sw/b.ts node:fs openai',
  },
  {
    file: 'src/engine/download/hub/a.ts',
    open: './b.ts ../installer/b.ts ../../scheduling/b.ts ../../../core/weights/b.ts valibot idb hash-wasm',
    closed:
      '../../webllm/b.ts ../../onnx/b.ts ../../onnx/speech/b.ts ../../conversation/b.ts ../../models/b.ts ../../device/b.ts ../../road/road.ts ../../../page/b.ts @mlc-ai/web-llm @huggingface/jinja node:fs',
  },
  {
    file: 'src/core/async/a.ts',
    open: './b.ts',
    closed: '../port/b.ts ../catalog/b.ts ../database/b.ts ../errors/b.ts ../grammar/b.ts idb',
  },
  {
    file: 'src/core/files/gguf/a.ts',
    open: './b.ts ../b.ts ../../catalog/b.ts valibot',
    closed:
      '../../port/b.ts ../../database/b.ts ../../fit/b.ts ../../errors/b.ts ../../grammar/b.ts idb',
  },
  {
    file: 'src/core/port/a.ts',
    open: './b.ts ../async/b.ts ../operations/b.ts ../errors/b.ts ../realms/b.ts ../site/b.ts valibot',
    closed: '../database/b.ts ../keys/b.ts ../catalog/b.ts ../grammar/b.ts ../files/gguf/b.ts idb',
  },
  {
    file: 'src/core/site/a.ts',
    open: './b.ts ../async/b.ts ../realms/b.ts ../version.ts',
    closed: '../database/b.ts ../keys/b.ts ../fit/b.ts ../weights/b.ts ../grammar/b.ts idb',
  },
  {
    file: 'src/core/operations/a.ts',
    open: './b.ts ../errors/b.ts ../catalog/catalog-model.ts',
    closed: '../catalog/catalog-store.ts ../database/b.ts ../weights/b.ts ../fit/b.ts idb',
  },
  {
    file: 'src/core/grammar/a.ts',
    open: './b.ts ../errors/errors.ts',
    closed: '../catalog/b.ts ../async/b.ts ../port/b.ts valibot idb',
  },
  {
    file: 'src/engine/models/a.ts',
    open: './b.ts ../conversation/b.ts ../download/installer/b.ts ../scheduling/b.ts ../device/b.ts ../../core/grammar/b.ts @huggingface/jinja valibot',
    closed:
      '../webllm/b.ts ../onnx/b.ts ../llamacpp/b.ts ../host/b.ts ../road/road.ts ../../page/b.ts @mlc-ai/web-llm @huggingface/transformers',
  },
  {
    file: 'src/engine/conversation/tools/a.ts',
    open: './b.ts ../b.ts ../prompt/b.ts ../../download/hub/b.ts ../../../core/grammar/b.ts',
    closed:
      '../../webllm/b.ts ../../onnx/b.ts ../../host/b.ts ../../road/road.ts ../../../../sw/b.ts',
  },
  {
    file: 'src/engine/scheduling/a.ts',
    open: './b.ts ../download/transfer/b.ts ../../core/operations/b.ts',
    closed:
      '../conversation/b.ts ../models/b.ts ../webllm/b.ts ../onnx/b.ts ../device/b.ts ../host/b.ts ../road/road.ts valibot',
  },
  {
    file: 'src/engine/workers/a.ts',
    open: './b.ts ../download/installer/b.ts ../scheduling/turn.ts ../device/b.ts ../../core/port/b.ts valibot',
    closed:
      '../onnx/b.ts ../llamacpp/b.ts ../webllm/b.ts ../retrieval/b.ts ../host/b.ts ../road/road.ts',
  },
  {
    file: 'src/engine/retrieval/a.ts',
    open: './b.ts ../workers/b.ts ../download/installer/b.ts ../scheduling/turn.ts ../../core/files/retrieval/b.ts',
    closed:
      '../onnx/b.ts ../llamacpp/b.ts ../conversation/b.ts ../models/b.ts ../road/road.ts @huggingface/transformers',
  },
  {
    file: 'src/engine/files/reading/pdf/a.ts',
    open: './b.ts ../../../workers/b.ts ../../../../core/b.ts unpdf/pdfjs',
    closed: '../../../../page/b.ts ../../../../../sw/b.ts @mlc-ai/web-llm node:fs',
  },
  {
    file: 'src/engine/device/a.ts',
    open: './b.ts ../download/installer/b.ts ../scheduling/b.ts ../../core/fit/b.ts',
    closed:
      '../conversation/b.ts ../models/b.ts ../webllm/b.ts ../onnx/b.ts ../llamacpp/b.ts ../road/road.ts valibot',
  },
  {
    file: 'src/engine/images/a.ts',
    open: './b.ts ../conversation/prompt/b.ts ../models/b.ts ../../core/b.ts',
    closed: '../llamacpp/b.ts ../webllm/b.ts ../onnx/b.ts ../road/road.ts ../../page/b.ts valibot',
  },
  {
    file: 'src/engine/webllm/pipeline/a.ts',
    open: './b.ts ../b.ts ../../conversation/b.ts ../../models/b.ts ../../download/installer/b.ts ../../../core/b.ts @mlc-ai/web-llm valibot',
    closed:
      '../../onnx/b.ts ../../host/b.ts ../../road/road.ts ../../../page/b.ts ../../../../sw/b.ts openai node:fs',
  },
  {
    file: 'src/engine/llamacpp/a.ts',
    open: './b.ts ../conversation/b.ts ../models/b.ts ../download/installer/b.ts ../../core/files/gguf/b.ts @mlc-ai/web-xgrammar valibot ../../../models/llamacpp/built/llamacpp.js',
    closed: '../webllm/b.ts ../onnx/b.ts ../road/road.ts ../../page/b.ts @mlc-ai/web-llm node:fs',
  },
  {
    file: 'src/engine/onnx/speech/a.ts',
    open: `./b.ts ../b.ts ../../../core/b.ts phonemize/en-g2p n2words/en-US wasm-media-encoders mediabunny @soundtouchjs/core
      valibot`,
    closed: `../../../page/b.ts ../../../../sw/b.ts @mlc-ai/web-llm @huggingface/transformers phonemizer
      openai node:fs`,
  },
  {
    file: 'src/engine/onnx/transformers/a.ts',
    open: './b.ts ../b.ts ../../../core/b.ts @huggingface/transformers',
    closed: '../../../page/b.ts @mlc-ai/web-llm onnxruntime-web kokoro-js node:fs',
  },
  {
    file: 'src/console/a.ts',
    open: `./b.ts ./styles/a.css ../index.ts ../core/text/b.ts ../core/keys/endpoints.ts ../core/realms/bridge-messages.ts
      ../../sw/checking/index.ts
      jsonc-parser marked preact
      preact/hooks @preact/signals idb unpdf/pdfjs lowlight`,
    closed: `../core/b.ts ../page/b.ts ../engine/b.ts ../node/b.ts ../../sw/b.ts
      openai valibot @mlc-ai/web-llm node:fs ${OUTSIDE}`,
  },
  {
    file: 'src/console/chat/a.ts',
    open: '../../index.ts ../models/b.ts ../../core/text/b.ts eventsource-parser/stream',
    closed: '../../page/b.ts ../../core/engine.ts ../../../sw/b.ts',
  },
  {
    file: 'src/prompt-api/a.ts',
    open: './b.ts ../index.ts ../core/async/b.ts ../core/text/b.ts eventsource-parser/stream',
    closed: `../core/port/b.ts ../page/b.ts ../engine/b.ts ../console/b.ts ../node/b.ts ../../sw/b.ts
      openai valibot idb node:fs ${OUTSIDE}`,
  },
  {
    file: 'src/node/a.ts',
    open: './b.ts ../core/b.ts ../engine/conversation/thinking/template-features.ts node:fs valibot vite',
    closed: `../page/b.ts ../engine/b.ts ../engine/conversation/b.ts ../console/b.ts ../../sw/b.ts ../index.ts ${OUTSIDE}`,
  },
  {
    file: 'src/on-demand.ts',
    open: './page/b.ts ./core/b.ts ../sw/page-api.ts',
    closed: './engine/b.ts ./console/b.ts ./node/b.ts ./index.ts ../sw/b.ts idb node:fs',
  },
  {
    file: 'src/index.ts',
    open: './page/b.ts ./core/b.ts',
    closed: './engine/b.ts ./console/b.ts ./node/b.ts ./on-demand.ts ../sw/b.ts idb node:fs',
  },
];

const reportSchema = v.object({
  diagnostics: v.array(
    v.object({
      code: v.string(),
      filename: v.string(),
      labels: v.array(v.object({ span: v.object({ line: v.number() }) })),
    }),
  ),
});

let root: string;
/** `file:specifier` of every import that lint refuses. */
let refused: Set<string>;

/** Every way to import counts. */
const FORMS = [
  (specifier: string) => `import '${specifier}';`,
  (specifier: string, line: number) => `import type { A as A${line} } from '${specifier}';`,
  (specifier: string) => `export * from '${specifier}';`,
  (specifier: string) => `await import('${specifier}');`,
];

const words = (text: string) => text.split(/\s+/);
const imports = ({ open, closed }: Wall) => [...words(open), ...words(closed)];

/** One import a line, so that a diagnostic's line tells which it is about. */
function source(wall: Wall): string {
  const lines = imports(wall).map((name, line) => FORMS[line % FORMS.length]?.(name, line));
  return lines.join('\n');
}

async function lint(): Promise<string> {
  const oxlint = join(import.meta.dirname, '../../node_modules/.bin/oxlint');
  return new Promise((resolve) => {
    // The linter's exit code says only that something was refused.
    execFile(oxlint, ['--format', 'json'], { cwd: root }, (_error, stdout) => resolve(stdout));
  });
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'walls-'));
  copyFileSync(join(import.meta.dirname, '../../.oxlintrc.json'), join(root, '.oxlintrc.json'));
  for (const wall of WALLS) {
    mkdirSync(dirname(join(root, wall.file)), { recursive: true });
    writeFileSync(join(root, wall.file), source(wall));
  }
  const { diagnostics } = v.parse(reportSchema, JSON.parse(await lint()));
  const walls = new Map(WALLS.map((wall) => [wall.file, imports(wall)]));
  refused = new Set(
    diagnostics
      .filter(({ code }) => code.includes('no-restricted-imports'))
      .map(
        ({ filename, labels }) =>
          `${filename}:${walls.get(filename)?.[(labels[0]?.span.line ?? 0) - 1]}`,
      ),
  );
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

const cases = (kind: 'open' | 'closed') =>
  WALLS.flatMap(({ file, [kind]: list }) =>
    words(list).map((specifier) => [file, specifier] as const),
  );

test.each(cases('open'))('%s may import %s', (file, specifier) => {
  expect(refused).not.toContain(`${file}:${specifier}`);
});

test.each(cases('closed'))('%s must not import %s', (file, specifier) => {
  expect(refused).toContain(`${file}:${specifier}`);
});
