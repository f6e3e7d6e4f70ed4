import { speech, startModels, summarise, transcribe } from './models.js';
import { record } from './recorder.js';

const WITHOUT = {
  transcription: 'Recordings cannot be written down.',
  chat: 'Notes have no summary.',
  speech: 'Notes cannot be read aloud.',
};
const STORED = 'spoken-notes';
let models;
let notes = JSON.parse(localStorage.getItem(STORED) ?? '[]');
let stopRecording;
let queue = Promise.resolve();

const element = (id) => document.getElementById(id);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
const say = (text) => (element('status').textContent = text);
const fail = (error) => say(`Failed: ${error.message}`);
/** Jobs run one after the other. */
const run = (job) => void (queue = queue.then(job).catch(fail));

show();
run(async () => {
  models = await startModels(Object.keys(WITHOUT), ({ model, stage, text }) => {
    if (stage === 'download' || stage === 'load') say(`${model}: ${text}`);
  });
  for (const task of Object.keys(WITHOUT).filter((each) => !models[each])) {
    const help = 'Add one: npx slashv1 init . --pack FOLDER';
    element('notice').append(`This site has no model for "${task}". ${WITHOUT[task]} ${help}\n`);
  }
  element('record').disabled = !models.transcription;
  element('file').disabled = !models.transcription;
  show();
  say(models.transcription ? 'Ready.' : 'Nothing can be written down.');
});

element('record').onclick = () => run(stopRecording ? stop : begin);
element('file').onchange = ({ target }) => {
  const [file] = target.files;
  if (file) run(() => write(file));
  target.value = '';
};

async function begin() {
  stopRecording = await record((seconds) => say(`Recording: ${seconds} s`));
  element('record').textContent = 'Stop';
  say('Recording …');
}

async function stop() {
  const end = stopRecording;
  stopRecording = undefined;
  element('record').textContent = 'Record';
  await write(await end());
}

async function write(recording) {
  say('Listening …');
  element('heard').textContent = '';
  for await (const piece of transcribe(models.transcription, recording)) {
    element('heard').append(piece);
  }
  const text = element('heard').textContent;
  element('heard').textContent = '';
  if (text === '') return say('Nothing was said.');
  const note = { time: Date.now(), text };
  // Kept before it is summarised, in case the tab is closed meanwhile.
  keep([note, ...notes]);
  if (models.chat) {
    say('Summarising …');
    note.summary = await summarise(models.chat, text);
    keep(notes);
  }
  say('Written down.');
}

function keep(all) {
  notes = all;
  localStorage.setItem(STORED, JSON.stringify(notes));
  show();
}

function show() {
  element('notes').replaceChildren(...notes.map(item));
}

function item(note) {
  const { time, text, summary } = note;
  const parts = [
    make('h2', { textContent: new Date(time).toLocaleString() }),
    make('p', { textContent: text, className: 'text' }),
    make('p', { textContent: summary ?? '', className: 'summary' }),
    make('button', {
      textContent: 'Read aloud',
      disabled: !models?.speech,
      onclick: () => run(() => play(summary || text)),
    }),
    make('button', {
      textContent: 'Delete',
      onclick: () => keep(notes.filter((each) => each !== note)),
    }),
  ];
  const whole = make('li');
  whole.append(...parts);
  return whole;
}

async function play(text) {
  const player = element('player');
  player.hidden = false;
  player.onerror = () => fail(new Error('The browser cannot play the speech.'));
  player.src = await speech(models.speech, text);
  await player.play();
}
