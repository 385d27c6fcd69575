import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { showHars } from '../../devtools.ts';

const HAR = { title: 'a', file: '/results/a.har.gz', unpacked: '/tmp/1.har', entries: 1 };

/** A browser with unknown DevTools. */
function strange({ closed }: { closed: boolean }): Browser {
  const page = {
    evaluate: async () => ({ width: 1600, height: 1000 }),
    windowId: async () => 1,
    isClosed: () => closed,
    goto: async () => {
      throw new Error('net::ERR_INVALID_URL\nat devtools://');
    },
  };
  return {
    pages: async () => [page],
    setWindowBounds: async () => {},
    version: async () => 'Chrome/999',
  } as unknown as Browser;
}

test('reports changed DevTools with their version, and the file to import by hand', () =>
  assert.rejects(showHars(strange({ closed: false }), [HAR]), {
    exitStatus: 3,
    message: /Chrome\/999 did not import the HAR: net::ERR_INVALID_URL\. .*\/results\/a\.har\.gz$/,
  }));

test('accepts a window that is closed before its HAR is there', () =>
  showHars(strange({ closed: true }), [HAR]));
