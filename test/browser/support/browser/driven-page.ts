/** What helpers need of a page. Playwright's pages have it, and so have the tabs of `test/browsers`. */
export interface DrivenPage {
  /**
   * Runs a function in the page and waits for its result. The function can use nothing from its file, and
   * its argument and result travel as JSON.
   *
   * @throws Error with the message of the page's error
   */
  evaluate<R, A>(work: (argument: A) => R | Promise<R>, argument: A): Promise<R>;
  evaluate<R>(work: () => R | Promise<R>): Promise<R>;
  /**
   * Waits until a function returns true in the page.
   *
   * @param options - `polling`: how often it is called, milliseconds
   */
  waitForFunction<A>(
    condition: (argument: A) => unknown,
    argument: A,
    options: { polling: number },
  ): Promise<unknown>;
}
