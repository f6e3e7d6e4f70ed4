import { ask } from './ask.js';

const shown = document.querySelector('#answer');
ask(shown.dataset.question).then(
  (answer) => (shown.textContent = answer),
  (error) => (shown.textContent = error.message),
);
