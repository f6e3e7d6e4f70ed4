import type { Messages } from '../en/index.ts';
import { app, fromCode, ui } from './app.ts';
import { attachments, chat, failure } from './chat.ts';
import { device } from './device.ts';
import { models } from './models.ts';
import { keys, playground, requests } from './pages.ts';
import { problem } from './problem.ts';
import { dictation, speech } from './speech.ts';

export const zh: Messages = {
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
