import { start } from './slashv1.js';

const INSTRUCTIONS = 'Summarise the note in at most three short sentences.';
const SUMMARY_TOKENS = 200;
/** `v1/audio/speech` takes no longer text. */
const MOST_SPOKEN = 4_096;

let v1;

/**
 * Starts the API and downloads the site's first model for each of these tasks.
 *
 * @returns task → model; a task that no model of the site has is missing
 */
export async function startModels(tasks, onProgress) {
  v1 = await start({ onProgress });
  const models = await v1.models.list();
  const usable = models.filter(({ embedded, state }) => embedded || /installed|loaded/.test(state));
  const firsts = tasks.map((task) => usable.find((model) => model.task === task));
  for (const model of firsts.filter(Boolean)) await v1.models.install(model.id);
  return Object.fromEntries(firsts.filter(Boolean).map((model) => [model.task, model]));
}

/** Yields the text of a recording in pieces, while the rest is still read. */
export async function* transcribe(model, recording) {
  const form = new FormData();
  form.append('file', recording, 'recording');
  form.append('model', model.id);
  form.append('stream', 'true');
  for await (const { type, delta } of events('audio/transcriptions', form)) {
    if (type === 'transcript.text.delta') yield delta;
  }
}

/** Summarises a text. If it is too long for the model, its parts are summarised first, and then their summaries. */
export async function summarise(model, text) {
  // A token of most texts has two characters at least.
  const most = 2 * ((model.contextLength ?? 2_048) - SUMMARY_TOKENS) - INSTRUCTIONS.length;
  // Parts end between two words, unless one word is longer than a part.
  const parts = text.match(new RegExp(`[^]{1,${most}}(?!\\S)|[^]{1,${most}}`, 'g'));
  const summaries = [];
  for (const part of parts) {
    const summary = await summaryOf(model, part.trim());
    // Each round halves the text at least.
    summaries.push(parts.length === 1 ? summary : summary.slice(0, most / 2));
  }
  return parts.length === 1 ? summaries[0] : summarise(model, summaries.join('\n'));
}

async function summaryOf(model, text) {
  const messages = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: text },
  ];
  const options = { stream: true, temperature: 0, max_tokens: SUMMARY_TOKENS };
  const body = JSON.stringify({ model: model.id, messages, ...options });
  let summary = '';
  for await (const { choices } of events('chat/completions', body)) {
    summary += choices[0]?.delta.content ?? '';
  }
  return summary.trim();
}

/** The address of a sound that is made while it is played. */
export function speech(model, text) {
  const [{ id: voice }] = model.speech.voices;
  return v1.speechUrl({ model: model.id, voice, input: text.slice(0, MOST_SPOKEN) });
}

async function* events(path, body) {
  const headers = { authorization: `Bearer ${v1.apiKey}` };
  const response = await fetch(`${v1.baseURL}/${path}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error((await response.json()).error.message);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n');
    rest = lines.pop();
    for (const line of lines.filter((each) => each.startsWith('data: {'))) {
      const event = JSON.parse(line.slice('data: '.length));
      if (event.error) throw new Error(event.error.message);
      yield event;
    }
  }
}
