import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { announceUpdates } from '../../../../src/page/worker/updates.ts';
import { closeBrowser, openBrowser, type FakeBrowser } from '../../support/fakes/fake-browser.ts';
import { FakeServiceWorker } from '../../support/fakes/fake-service-worker.ts';

let browser: FakeBrowser;
let base: URL;
let registration: ServiceWorkerRegistration;
let stop: AbortController;

beforeEach(async () => {
  browser = openBrowser();
  base = new URL(browser.base);
  stop = new AbortController();
  registration = await navigator.serviceWorker.register('sw.js');
});

afterEach(() => {
  stop.abort();
  closeBrowser();
});

describe('a newer version of the service worker', () => {
  /** How often the active one was told. */
  const told = () =>
    browser.container.registration.active?.received.filter(
      ({ type }) => type === 'slashv1:update-waits',
    ).length;

  function wait(): FakeServiceWorker {
    const worker = new FakeServiceWorker('installed');
    browser.container.registration.waiting = worker;
    return worker;
  }

  /** Goes on until the browser has installed it. */
  function install(): FakeServiceWorker {
    const worker = new FakeServiceWorker('installing');
    browser.container.registration.installing = worker;
    browser.container.registration.dispatchEvent(new Event('updatefound'));
    wait();
    return worker;
  }

  test('that waits already is announced to the active one', async () => {
    wait();
    announceUpdates(registration, base, stop.signal);
    await vi.waitFor(() => expect(told()).toBe(1));
  });

  test('that is found later is announced once it is installed', async () => {
    announceUpdates(registration, base, stop.signal);
    const worker = install();
    worker.become('installing');
    expect(browser.locks.held).toEqual([]);
    worker.become('installed');
    await vi.waitFor(() => expect(told()).toBe(1));
  });

  test('is announced by one tab of several, once', async () => {
    const worker = wait();
    for (let tab = 0; tab < 3; tab++) announceUpdates(registration, base, stop.signal);
    await vi.waitFor(() => expect(told()).toBe(1));
    expect(browser.locks.awaited).toHaveLength(2);
    browser.container.registration.waiting = null;
    worker.become('activating');
    await vi.waitFor(() => expect(browser.locks.held).toEqual([]));
    expect(told()).toBe(1);
  });

  test('is announced by another tab when the one that did so stops', async () => {
    const first = new AbortController();
    wait();
    announceUpdates(registration, base, first.signal);
    await vi.waitFor(() => expect(told()).toBe(1));
    announceUpdates(registration, base, stop.signal);
    first.abort();
    await vi.waitFor(() => expect(told()).toBe(2));
  });

  test('is not announced by a page that has stopped', async () => {
    announceUpdates(registration, base, stop.signal);
    stop.abort();
    install().become('installed');
    expect(browser.locks.held).toEqual([]);
    expect(told()).toBe(0);
  });
});
