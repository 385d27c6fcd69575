/** What a browser's program is. */
export type BrowserKind = 'chromium' | 'firefox';

/** Browsers that set-up finds: their names need no path in `--browser`. */
const FOUND_BY_SET_UP: readonly string[] = ['chromium', 'firefox'] satisfies BrowserKind[];

/** Whether the name is that of a browser which set-up finds. */
export function isFoundBySetUp(name: string): name is BrowserKind {
  return FOUND_BY_SET_UP.includes(name);
}

/** Kind of a browser by its name: `firefox`, and names that begin with it, are Firefox. undefined: the usual browser. */
export function browserKind(name: string | undefined): BrowserKind {
  return name?.startsWith('firefox') ? 'firefox' : 'chromium';
}

/** Names of browsers in texts. */
export const BROWSER_NOUNS: Readonly<Record<BrowserKind, string>> = {
  chromium: 'Chromium or Chrome',
  firefox: 'Firefox',
};
