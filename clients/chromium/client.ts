import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { Client } from '../client.ts';

/** Chromium, driven by DevTools. Loads pages; transfers files from within a page. */
export const chromium: Client = {
  name: 'chromium',
  label: 'Chromium',
  keyExchanges: KEY_EXCHANGES,
  runtime: null,
  transfer: {
    // Loaded on demand: reports import this description without a browser.
    by: async (arm, environment) =>
      (await import('./transfer/transfer-client.ts')).chromiumTransferClient(arm, environment),
    whyWindowsAreFixed: (protocol) =>
      protocol === 'http/1.1' ? null : "Chromium's windows cannot be set",
  },
};
