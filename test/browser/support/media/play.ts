import type { Page } from 'playwright/test';

/** Plays a URL in an `<audio>` until it ends or fails. `fault` is the MediaError's code, or 0. */
export function play(page: Page, url: string) {
  return page.evaluate(
    (src) =>
      new Promise<{ seconds: number; position: number; fault: number }>((resolve) => {
        const player = new Audio(src);
        player.muted = true;
        const settle = () =>
          resolve({
            seconds: player.duration,
            position: player.currentTime,
            fault: player.error?.code ?? 0,
          });
        player.onended = settle;
        player.onerror = settle;
        void player.play();
      }),
    url,
  );
}
