import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { Client } from '../client.ts';

/** The browser, driven by DevTools. Loads pages; transfers files from within a page. */
export const chromium: Client = {
  name: 'chromium',
  label: 'Chromium',
  keyExchanges: KEY_EXCHANGES,
  runtime: null,
  transfer: {
    // Loaded on demand: reports read this description too, and drive no browser.
    by: async (arm, place) =>
      (await import('./transfer/transfer-client.ts')).chromiumTransferClient(arm, place),
    whyWindowsAreFixed: (protocol) =>
      protocol === 'http/1.1' ? null : 'Chromium cannot be given windows',
  },
};
