import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findWebKit, type WebKitPrograms } from '../../../scripts/testing/other-browsers.ts';
import { listenAnywhere } from '../../browser/support/servers.ts';
import { makeTempFolder, removeTempFolder } from '../../browser/support/storage/temp-folder.ts';
import { tabOf, type DrivenBrowser, type LaunchOptions, type Tab } from './driver.ts';
import { ProcessGroup } from './process-group.ts';
import { WebDriverSession } from './webdriver.ts';

const BROWSER = fileURLToPath(new URL('webkit-browser.py', import.meta.url));
/** The name of a service worker's thread; Linux keeps the last 15 characters. */
const SERVICE_WORKER_THREAD = ': ServiceWorker';

/** Starts WebKitGTK on a display of its own; it is driven by W3C WebDriver. */
export async function launchWebKit({ isPrivate = false }: LaunchOptions): Promise<DrivenBrowser> {
  const programs = findWebKit();
  const folder = makeTempFolder('webkit');
  const groups: ProcessGroup[] = [];
  const close = async () => {
    for (const group of groups) await group.end();
    removeTempFolder(folder);
  };
  try {
    const screen = startScreen(programs);
    groups.push(screen);
    const display = await displayOf(screen);
    const origin = await freeOrigin();
    const driver = startDriver(programs, origin, display);
    groups.push(driver);
    await untilServing(origin);
    const session = await WebDriverSession.open(origin, {
      'webkitgtk:browserOptions': {
        binary: programs.python,
        args: isPrivate ? [BROWSER] : [BROWSER, folder],
      },
    });
    return {
      version: `webkitgtk/${session.version}`,
      newTab: async () => webKitTab(session, await session.newWindow()),
      stopServiceWorkers: async () => driver.killWithThread(SERVICE_WORKER_THREAD),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A page in a window that no driver controls: the driver hangs when a page becomes cross-origin isolated. */
export async function openUndriven(url: string): Promise<{ close(): Promise<void> }> {
  const programs = findWebKit();
  const folder = makeTempFolder('webkit');
  const screen = startScreen(programs);
  const groups = [screen];
  const environment = withDisplay(await displayOf(screen));
  const args = [BROWSER, folder, url];
  groups.push(
    new ProcessGroup(programs.python, args, ['ignore', 'ignore', 'inherit'], environment),
  );
  return {
    close: async () => {
      for (const group of groups.toReversed()) await group.end();
      removeTempFolder(folder);
    },
  };
}

function webKitTab(session: WebDriverSession, handle: string): Tab {
  return tabOf({
    goto: (url) => session.navigate(handle, url),
    reload: () => session.reload(handle),
    evaluate: (expression) => session.evaluate(handle, expression),
    close: () => session.closeWindow(handle),
  });
}

/** Starts a display without a screen. It chooses a free number, and writes it to file descriptor 3. */
function startScreen({ display }: WebKitPrograms): ProcessGroup {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  return new ProcessGroup(display, args, ['ignore', 'ignore', 'ignore', 'pipe']);
}

async function displayOf({ child }: ProcessGroup): Promise<string> {
  const output = child.stdio[3];
  if (!(output instanceof Readable)) throw new Error('The display has no output.');
  const [number]: string[] = await once(createInterface(output), 'line');
  return `:${number}`;
}

/** Starts the driver, which starts the browser. */
function startDriver({ driver }: WebKitPrograms, origin: string, display: string): ProcessGroup {
  const { hostname, port } = new URL(origin);
  const args = [`--host=${hostname}`, `--port=${port}`];
  return new ProcessGroup(driver, args, ['ignore', 'ignore', 'inherit'], withDisplay(display));
}

function withDisplay(display: string): NodeJS.ProcessEnv {
  return { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1' };
}

async function freeOrigin(): Promise<string> {
  const { origin, close } = await listenAnywhere(createServer());
  await close();
  return origin;
}

async function untilServing(origin: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/status`).catch(() => undefined);
    if (response?.ok) return;
    await pause(20);
  }
}
