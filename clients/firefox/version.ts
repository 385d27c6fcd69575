/** Oldest usable major version: a page's process is driven and read with privileged WebDriver BiDi since then. */
export const OLDEST_VERSION = 138;

/** Version in the output of `firefox --version`, such as `Mozilla Firefox 153.8.0esr`; null: the program is no Firefox. */
export function firefoxVersion(output: string): string | null {
  return /\bFirefox (\d+\.\d[\w.]*)/.exec(output)?.[1] ?? null;
}

export function isOldVersion(version: string): boolean {
  return Number.parseInt(version, 10) < OLDEST_VERSION;
}
