export interface FirefoxRecord {
  events: readonly unknown[];
  channels: readonly unknown[];
}
export function buildFirefoxHar(_r: FirefoxRecord, _a: unknown): any {
  throw new Error('not yet');
}
