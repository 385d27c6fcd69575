import type { CDPSession } from 'puppeteer-core';

/** The event of a page that opened a dialog and stops until it is closed: alert, confirm, prompt, beforeunload. */
export const DIALOG_OPENED = 'Page.javascriptDialogOpening';

/** Closes each dialog of a page at once, whose Page domain is enabled: cancels it, but lets the page be left. */
export function dismissDialogs(session: CDPSession): void {
  session.on(DIALOG_OPENED, ({ type }) => {
    // The tab may be closed by now.
    session
      .send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' })
      .catch(() => {});
  });
}
