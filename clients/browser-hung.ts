/** A browser did not respond within a time limit far above normal. */
export class BrowserHungError extends Error {
  override name = 'BrowserHungError';

  constructor(what: string, limitMs: number) {
    super(`The browser hung: it had ${Math.round(limitMs / 1000)} s for ${what}, and was killed.`);
  }
}
