import { app, fromCode, ui } from './app.ts';
import { attachments, chat, failure } from './chat.ts';
import { device } from './device.ts';
import { models } from './models.ts';
import { keys, playground, requests } from './pages.ts';
import { problem } from './problem.ts';
import { dictation, speech } from './speech.ts';

/** The console in English, and the type of every other language: what is missing in one does not compile. */
export const en = {
  app,
  ui,
  fromCode,
  models,
  requests,
  keys,
  playground,
  problem,
  speech,
  dictation,
  chat,
  failure,
  attachments,
  device,
};

export type Messages = typeof en;
