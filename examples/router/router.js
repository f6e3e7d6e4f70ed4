import { start } from './slashv1.js';

const TEAMS = {
  billing: 'payments, invoices and refunds',
  technical: 'errors and things that do not work',
  sales: 'prices, offers and larger plans',
  account: 'sign-in, passwords and personal data',
  other: 'everything else',
};
/** Below this, a person decides. Find it with messages of your own. */
const SURE = 0.2;

const element = (id) => document.getElementById(id);
const say = (text) => (element('status').textContent = text);

const ready = openModel().catch(({ message }) => say(`Failed: ${message}`));

async function openModel() {
  const v1 = await start({ onProgress: ({ text }) => say(text) });
  const models = await v1.models.list();
  const model = models.find(({ task, embedded }) => task === 'chat' && embedded);
  if (!model) throw new Error('Add a model: npx slashv1 init . --pack FOLDER');
  await v1.models.load(model.id);
  say('Ready.');
  return { v1, model: model.id };
}

/** The probabilities of the teams, the likeliest first, and whether the message is urgent. */
async function decide({ v1, model }, input) {
  const choices = Object.entries(TEAMS).map(([value, description]) => ({ value, description }));
  const response = await fetch(`${v1.baseURL}/decisions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${v1.apiKey}` },
    body: JSON.stringify({
      model,
      input,
      questions: [
        { type: 'choice', instructions: 'Which team is this message for?', choices },
        { type: 'predicate', instructions: 'The message needs an answer today.' },
      ],
    }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message);
  const [team, urgent] = body.answers;
  const teams = team.probabilities.toSorted((a, b) => b.probability - a.probability);
  return { teams, isSure: team.confidence >= SURE, urgent: urgent.probability };
}

const percent = (x) => `${Math.round(100 * x)} %`;

async function route() {
  const opened = await ready;
  if (!opened) return;
  say('Reading …');
  const { teams, isSure, urgent } = await decide(opened, element('text').value);
  const lines = teams.map(({ value, probability }) => `${value}: ${percent(probability)}`);
  const item = (text) => Object.assign(document.createElement('li'), { textContent: text });
  element('teams').replaceChildren(...lines.map(item));
  element('urgent').textContent = `Urgent: ${percent(urgent)}`;
  say(isSure ? `For the team: ${teams[0].value}` : 'A person decides: no team stands out.');
}

// The form's method is `dialog`, so the browser stays on the page.
element('mail').onsubmit = () => void route().catch(({ message }) => say(`Failed: ${message}`));
