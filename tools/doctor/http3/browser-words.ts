import { PUBLIC_AUTHORITIES_ALONE } from '../../../clients/firefox/preferences.ts';
import { BROWSERS, type BrowserKind } from '../../../ground/browser-kind.ts';
import { commandLineOf, type Mode } from './chromium.ts';
import type { Origin } from './origin.ts';

/** How browsers differ in sentences about HTTP/3. */
interface BrowserWords {
  name: string;
  /** Options by which the doctor examines it. */
  examines: readonly string[];
  /** How it is made to use a port that it blocks. */
  allowPort(port: number): string;
  withoutProxy: string;
  /** Authorities that were added, over QUIC. */
  addedAuthority: string;
  acceptAuthority(origin: Origin, way: Mode, pins: readonly string[]): string;
}

export const WORDS: Readonly<Record<BrowserKind, BrowserWords>> = {
  chromium: {
    name: BROWSERS.chromium.label,
    examines: [],
    allowPort: (port) => `start Chromium with --explicitly-allowed-ports=${port}`,
    withoutProxy: 'start Chromium with --no-proxy-server',
    addedAuthority:
      'Chromium trusts it because this machine does, but over QUIC it accepts only public authorities',
    acceptAuthority: (...how) => `start Chromium with: ${commandLineOf(...how)}`,
  },
  firefox: {
    name: BROWSERS.firefox.label,
    examines: ['--browser', 'firefox'],
    allowPort: (port) => `add ${port} to network.security.ports.banned.override in about:config`,
    withoutProxy: "choose “No proxy” in Firefox's settings",
    addedAuthority: `Firefox trusts it because it was added, and then leaves QUIC again (${PUBLIC_AUTHORITIES_ALONE})`,
    acceptAuthority: () =>
      `let Firefox trust its authority, and set ${PUBLIC_AUTHORITIES_ALONE} to false in about:config`,
  },
};
