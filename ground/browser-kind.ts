/** What a browser's program is; also the name of the one that set-up finds. */
export type BrowserKind = 'chromium' | 'firefox';

interface BrowserDescription {
  label: string;
  /** What a binary may be. */
  noun: string;
  /** Environment variable that chooses the binary. */
  variable: string;
  /** File in .setup with the binary that set-up found. */
  foundFile: string;
  /** Command that sets it up. */
  setUp: string;
}

export const BROWSERS: Readonly<Record<BrowserKind, BrowserDescription>> = {
  chromium: {
    label: 'Chromium',
    noun: 'Chromium or Chrome',
    variable: 'CHROMIUM_PATH',
    foundFile: 'machine.json',
    setUp: 'npm run setup',
  },
  firefox: {
    label: 'Firefox',
    noun: 'Firefox',
    variable: 'FIREFOX_PATH',
    foundFile: 'firefox.json',
    setUp: 'npm run setup -- --browser firefox',
  },
};

/** Whether the name is that of a browser which set-up finds, so that it needs no path in `--browser`. */
export function isFoundBySetUp(name: string): name is BrowserKind {
  return Object.hasOwn(BROWSERS, name);
}

/** Kind of a browser by its name: `firefox`, and names that begin with it, are Firefox. undefined: the usual browser. */
export function browserKind(name: string | undefined): BrowserKind {
  return name?.startsWith('firefox') ? 'firefox' : 'chromium';
}

/** Name of a browser in texts: that of its kind, or the user's own. */
export function browserLabel(name: string): string {
  return isFoundBySetUp(name) ? BROWSERS[name].label : name;
}
