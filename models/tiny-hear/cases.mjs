/**
 * Writes the cases for the tests: small files of held-out recordings that the pack transcribes correctly, and the words
 * with their times.
 *
 * usage: node models/tiny-hear/cases.mjs HELD_OUT_DIR   (the pack must be there)
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readWav, recogniser } from './recogniser.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;
const PACK = `${ROOT}models/packs/tiny-hear/`;
const FIXTURES = `${ROOT}test/fixtures/`;
const FOLDER = 'tiny-hear';
const LONGEST = 3; // seconds, so that a file has less than 100 kB
const OF_EACH = { en: 4, es: 1 };
const SOURCES = ['kokoro', 'espeak'];
const RATE = 16000;
const WAV_HEADER = 44; // bytes
const MARGIN = 0.06; // seconds before the first word and after the last one
const PAUSE = 3; // seconds between the phrases of the long recording

const [heldOut] = process.argv.slice(2);
const index = JSON.parse(readFileSync(join(heldOut, 'index.json'), 'utf8'));
const hear = await recogniser(PACK);

/** Cuts a phrase out of a longer recording. Its times then count from the cut's start. */
function cut(samples, { voice, words, times }) {
  const begin = Math.round((times[0][0] - MARGIN) * RATE);
  const end = Math.round((times.at(-1)[1] + MARGIN) * RATE);
  const shift = ([start, stop]) =>
    [start, stop].map((time) => Math.round((time - begin / RATE) * 100) / 100);
  return {
    voice,
    text: words.join(' '),
    words: times.map(shift),
    samples: samples.slice(begin, end),
  };
}

function wav(samples) {
  const bytes = Buffer.alloc(WAV_HEADER + 2 * samples.length);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(2 * RATE, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples.length, 40);
  samples.forEach((value, at) =>
    bytes.writeInt16LE(Math.round(value * 32767), WAV_HEADER + 2 * at),
  );
  return bytes;
}

async function rightlyHeard(source, language) {
  const found = [];
  for (const entry of index.filter(
    (one) => one.split === 'both' && one.source === source && one.language === language,
  )) {
    const samples = readWav(join(heldOut, entry.file));
    for (const said of entry.said) {
      const phrase = cut(samples, said);
      if (said.words.length < 3 || phrase.samples.length > LONGEST * RATE) continue;
      const options = { language, task: 'transcribe', return_timestamps: true };
      const { text } = await hear(phrase.samples, options);
      if (text.trim() === phrase.text) found.push(phrase);
      if (found.length === OF_EACH[language]) return found;
    }
  }
  return found;
}

rmSync(join(FIXTURES, FOLDER), { recursive: true, force: true });
mkdirSync(join(FIXTURES, FOLDER));
const recordings = [];
for (const source of SOURCES) {
  for (const language of Object.keys(OF_EACH)) {
    for (const [at, { samples, ...phrase }] of (await rightlyHeard(source, language)).entries()) {
      const file = `${FOLDER}/${source}-${language}-${at + 1}.wav`;
      writeFileSync(join(FIXTURES, file), wav(samples));
      recordings.push({ file, language, seconds: samples.length / RATE, ...phrase });
    }
  }
}

/** A recipe: which recording begins at which second. The rest is silence. */
const long = [];
let at = 0.8;
for (const { file, seconds, text } of recordings.filter((one) => one.language === 'en')) {
  long.push({ at: Math.round(at * 100) / 100, file, text });
  at += seconds + PAUSE;
}
const cases = { recordings, long: { seconds: Math.ceil(at), parts: long } };
writeFileSync(join(FIXTURES, 'tiny-hear-cases.json'), `${JSON.stringify(cases, null, 2)}\n`);
console.log(`${recordings.length} recordings; the long one has ${cases.long.seconds} seconds`);
