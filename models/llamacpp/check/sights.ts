/**
 * `sights.ts LOOK`: writes what native llama.cpp computes for the small models of test/support/sight/tiny-sight.ts to
 * test/fixtures/reference/tiny-sight.json. LOOK is what models/tiny-see/look.sh compiles.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SIGHTS, tinySight, type Sight } from '../../../test/support/sight/tiny-sight.ts';
import { picture } from '../../../test/unit/support/models/read-image.ts';

/** The prompt around an image, as in test/built/images.test.ts. */
const BEFORE = '<|im_start|>user\n';
const AFTER = ' What is it?<|im_end|>\n<|im_start|>assistant\n';
/** mtmd's placeholder for an image. */
const IMAGE = '<__media__>';
const FIXTURE = new URL('../../../test/fixtures/reference/tiny-sight.json', import.meta.url);
const DIGITS = 5;

type Size = [width: number, height: number];
const SMALL: Size = [70, 40];
const CASES: [name: string, prompt: string, sizes: Size[]][] = [
  ['', `${BEFORE}${IMAGE}${AFTER}`, [SMALL]],
  [', continued', `${BEFORE}${IMAGE}${AFTER}A r`, [SMALL]],
  [', two images', `${BEFORE}${IMAGE} and ${IMAGE}${AFTER}`, [SMALL, [40, 90]]],
];

const [program = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sights-'));
const found = SIGHTS.flatMap((sight) => {
  const lines = logits(sight);
  return CASES.map(([name], index) => [`${sight}${name}`, numbers(lines[index])] as const);
});
rmSync(folder, { recursive: true });
const rows = found.map(([name, row]) => `${JSON.stringify(name)}: [${row.join(', ')}]`);
writeFileSync(FIXTURE, `{${rows.join(', ')}}\n`);

/** Runs LOOK on a model. Returns a line of logits for each case. */
function logits(sight: Sight): string[] {
  const { model, projector } = tinySight(sight);
  const [modelFile, projectorFile] = [join(folder, 'model.gguf'), join(folder, 'mmproj.gguf')];
  writeFileSync(modelFile, model);
  writeFileSync(projectorFile, withoutSound(projector));
  const input = Buffer.concat(CASES.map(([, prompt, sizes]) => encoded(prompt, sizes)));
  const env = { ...process.env, LOGITS: '1' };
  return execFileSync(program, [modelFile, projectorFile], { input, env }).toString().split('\n');
}

/**
 * Clears the projector's audio flag. With it, native llama.cpp would look for audio tensors, which are missing; our
 * build loads none.
 */
function withoutSound(projector: Uint8Array): Uint8Array {
  const key = 'clip.has_audio_encoder';
  const changed = Buffer.from(projector);
  const place = changed.indexOf(key);
  // A type number of 4 bytes stands between the key and the value.
  if (place >= 0) changed[place + key.length + 4] = 0;
  return changed;
}

/** Encodes a case in the form that look.cpp reads. */
function encoded(prompt: string, sizes: Size[]): Uint8Array {
  const text = Buffer.from(prompt);
  const pictures = sizes.flatMap((size) => [...size.map(number), picture(...size)]);
  return Buffer.concat([number(sizes.length), ...pictures, number(text.length), text]);
}

function number(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

function numbers(line = ''): number[] {
  return line.split(' ').map((text) => Number(Number(text).toPrecision(DIGITS)));
}
