import type { CDPSession } from 'puppeteer-core';

/** A dialog opened and blocks the page: alert, confirm, prompt, beforeunload. */
export const DIALOG_OPENED = 'Page.javascriptDialogOpening';

/** Cancels each dialog of a page, but accepts beforeunload; the Page domain must be enabled. */
export function dismissDialogs(session: CDPSession): void {
  session.on(DIALOG_OPENED, ({ type }) => {
    // The tab may be closed.
    session
      .send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' })
      .catch(() => {});
  });
}
