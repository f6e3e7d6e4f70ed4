import { signal, type ReadonlySignal } from '@preact/signals';
import { readSetting, writeSetting } from '../ui/settings.ts';

/** The browser's offer to install the page as an app. Not all browsers have it. */
interface InstallPrompt extends Event {
  /** Asks the user. May be called once. */
  prompt(): Promise<unknown>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallPrompt;
  }
}

const offered = signal<InstallPrompt | null>(null);

/** What installs the page; null: it cannot be installed, is installed, or has been offered before. */
export const installOffer: ReadonlySignal<InstallPrompt | null> = offered;

addEventListener('beforeinstallprompt', (event) => {
  if (readSetting('install') === 'no') return;
  // The page offers it itself, when there is an answer to keep.
  event.preventDefault();
  offered.value = event;
});
addEventListener('appinstalled', endOffer);

/** Never offers to install the page again. */
export function endOffer(): void {
  writeSetting('install', 'no');
  offered.value = null;
}
