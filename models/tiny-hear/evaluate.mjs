/**
 * Measures a folder of the recogniser with transformers.js on the held-out recordings.
 *
 * usage: node models/tiny-hear/evaluate.mjs FOLDER HELD_OUT_DIR [REPORT]
 *
 * Both folders are absolute paths; FOLDER ends with a slash. REPORT is a JSON file to write.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readWav, recogniser } from './recogniser.mjs';

const [folder, heldOut, report] = process.argv.slice(2);
/** The word edit distance of two lists: the fewest deletions, insertions and substitutions between them. */
function wordErrors(expected, actual) {
  let row = [...Array(actual.length + 1).keys()];
  for (const [index, word] of expected.entries()) {
    const next = [index + 1];
    for (const [other, heard] of actual.entries()) {
      const change = row[other] + (word === heard ? 0 : 1);
      next.push(Math.min(change, row[other + 1] + 1, next[other] + 1));
    }
    row = next;
  }
  return row.at(-1);
}

const wordsOf = (text) => text.trim().split(/\s+/).filter(Boolean);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (errors, words) => Math.round((10000 * errors) / words) / 100;

const hear = await recogniser(folder);
const counts = {};
const distances = { segments: [], words: [] };
const count = (key, errors, words) => {
  counts[key] ??= { words: 0, errors: 0, percent: 0 };
  counts[key].words += words;
  counts[key].errors += errors;
  counts[key].percent = percent(counts[key].errors, counts[key].words);
};

for (const { file, split, source, language, said } of JSON.parse(
  readFileSync(join(heldOut, 'index.json'), 'utf8'),
)) {
  const samples = readWav(join(heldOut, file));
  const expected = said.flatMap(({ words }) => words);
  for (const [name, options] of Object.entries({
    plain: {},
    'with segment times': { return_timestamps: true },
    'with word times': { return_timestamps: 'word' },
  })) {
    const { text, chunks } = await hear(samples, { language, task: 'transcribe', ...options });
    const actual = wordsOf(text);
    const errors = wordErrors(expected, actual);
    count(`${name}: ${split}, ${source}`, errors, expected.length);
    count(`${name}: ${split}`, errors, expected.length);
    count(name, errors, expected.length);
    if (errors > 0)
      console.log(file, name, '\n  said ', expected.join(' '), '\n  heard', actual.join(' '));
    const times = name.includes('word')
      ? said.flatMap((one) => one.times)
      : said.map(({ times: all }) => [all[0][0], all.at(-1)[1]]);
    if (chunks && errors === 0 && chunks.length === times.length) {
      const into = name.includes('word') ? distances.words : distances.segments;
      chunks.forEach(({ timestamp }, at) =>
        into.push(Math.abs(timestamp[0] - times[at][0]), Math.abs(timestamp[1] - times[at][1])),
      );
    }
  }
}
const result = {
  wordErrorRates: counts,
  meanSecondsFromTheTrueTime: Object.fromEntries(
    Object.entries(distances).map(([name, all]) => [
      name,
      { times: all.length, mean: Math.round(mean(all) * 1000) / 1000 },
    ]),
  ),
};
console.log(JSON.stringify(result, null, 2));
if (report) writeFileSync(report, `${JSON.stringify(result, null, 2)}\n`);
