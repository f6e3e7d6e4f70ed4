/**
 * Makes the committed pack of the files that export.py wrote: the same files, and a manifest.
 *
 * usage: node models/tiny-hear/pack.mjs SNAPSHOT_DIR
 */

import { cpSync, readFileSync, rmSync } from 'node:fs';

import { variantFiles, writeManifest } from '../../src/node/pack/manifest.ts';

const MODELS = new URL('..', import.meta.url).pathname;
const PACK = `${MODELS}packs/tiny-hear`;
const [snapshot] = process.argv.slice(2);

const { id, ownedBy, license, created } = JSON.parse(
  readFileSync(`${MODELS}tiny-hear.json`, 'utf8'),
);
rmSync(PACK, { recursive: true, force: true });
cpSync(snapshot, PACK, { recursive: true });
const { max_target_positions: contextLength } = JSON.parse(
  readFileSync(`${PACK}/config.json`, 'utf8'),
);
writeManifest(PACK, {
  ...{ id, ownedBy, created, license, features: [], task: 'transcription', contextLength },
  variants: [
    {
      engine: 'onnx',
      quantization: 'fp32',
      needs: {},
      graph: 'onnx/encoder_model.onnx',
      ...variantFiles(PACK),
    },
  ],
});
