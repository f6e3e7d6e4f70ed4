/** The API for a site's classic service worker: `importScripts('slashv1-sw.js')` makes it `self.slashv1`. */
import { allowClaim, handle, intercept } from './handle.ts';

Object.assign(self, { slashv1: { allowClaim, handle, intercept } });
