#!/bin/bash
# Measures the pack of tiny-chat-decide on the held-out questions that held_out_decisions.py wrote, and puts the calibration
# that was fitted into its pack options.
set -euo pipefail
cd "$(dirname "$0")/../.."
report=models/tiny-chat/tongues/decide/report.json
mkdir -p "$(dirname "$report")"
rm -f .cache/decisions/tiny-chat-decide.json
npx node models/decisions/measure.ts tiny-chat-decide --items .cache/tiny-chat/decisions.json --report "$report"
npx node - "$report" models/tiny-chat-decide.json <<'END'
const { readFileSync, writeFileSync } = require('node:fs');
const [report, options] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { predicate, choiceByWords: choice, score } = read(report)['tiny-chat-decide'];
const fitted = Object.entries({ predicate, choice, score }).map(([type, of]) => [type, of.calibration]);
const calibrated = { ...read(options), calibration: Object.fromEntries(fitted) };
writeFileSync(options, `${JSON.stringify(calibrated, null, 2)}\n`);
END
