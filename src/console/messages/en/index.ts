import { app, fromCode, ui } from './app.ts';
import { models } from './models.ts';
import { keys, playground, requests } from './pages.ts';
import { problem } from './problem.ts';
import { dictation, speech } from './speech.ts';

/** The console in English, and the type of every other language: what is missing in one does not compile. */
export const en = {
  ...{ app, ui, fromCode, models, requests, keys, playground },
  ...{ problem, speech, dictation },
};

export type Messages = typeof en;
