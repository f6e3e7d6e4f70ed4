/** The API for slashv1's own service worker, which imports this script when it first needs it. */
import { siteAnswers } from './site-answers.ts';

Object.assign(self, { slashv1: { siteAnswers } });
