import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { PageContext, PagePool } from '../../../clients/page-context.ts';
import type { BrowserBench } from '../../../experiments/in-browser.ts';
import type { Attempt, Client } from '../../../experiments/measuring.ts';
import { clientOf } from '../../../experiments/page-load/measure.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import { carryOut } from '../../../runner/carry-out.ts';
import { CHOICES } from '../../e2e/choices.ts';

/** Trials by name, with a record of each request. */
async function* trials(names: readonly string[], log: string[]): AsyncGenerator<Trial> {
  for (const id of names) {
    log.push(`asked for ${id}`);
    const trial: Partial<Trial> = {
      id,
      subject: 'a.test',
      arm: 'bun-h2',
      network: NOTHING_ADDED,
      factors: { visit: 'cold' },
    };
    yield trial as Trial;
  }
}

/** Loads pages in contexts of a browser that answers no command, or without a browser. */
function clientIn(log: string[], open: PagePool['open'], signal?: AbortSignal): Client {
  const server = { stack: { stack: 'bun-h2', protocol: 'h2' }, origins: {} };
  const bench = {
    manifest: { url: 'https://a.test/', kind: 'generated', resources: [] },
    servers: [server],
    path: {
      backend: 'userspace',
      apply: async () => {
        log.push('path applied');
        throw new Error('no path');
      },
    },
    timeoutS: 1,
    choices: CHOICES,
    versions: {},
    results: { writeHar: async () => 'har' },
    signal,
  } as unknown as BrowserBench;
  return clientOf(bench, { open, isWorn: false, close: async () => {} });
}

function noBrowser(): Promise<PageContext> {
  return Promise.reject(new Error('it does not start'));
}

test('writes a row per trial in order, and requests the next one after the measurement', async () => {
  const log: string[] = [];
  await carryOut(trials(['a', 'b'], log), clientIn(log, noBrowser), {
    async written({ id }, made) {
      log.push(`${id} ${made.outcome} ${made.code}`);
    },
  });
  assert.deepEqual(log, [
    'asked for a',
    'asked for b',
    'a failed browser-failed',
    'b failed browser-failed',
  ]);
});

test('begins no further trial when a row cannot be written, and returns its context', async () => {
  const log: string[] = [];
  const open = async () => {
    const leave = async () => void log.push('left');
    return { watch: async () => ({}), leave, about: {} } as unknown as PageContext;
  };
  const carrying = carryOut(trials(['a', 'b', 'c'], log), clientIn(log, open), {
    async written() {
      throw new Error('the disk is full');
    },
  });
  await assert.rejects(carrying, /the disk is full/);
  assert.deepEqual(log, ['asked for a', 'path applied', 'asked for b', 'left', 'left']);
});

test("ends on an interruption, and returns the next trial's context", async () => {
  const log: string[] = [];
  const controller = new AbortController();
  const client = clientIn(log, noBrowser, controller.signal);
  const written = async () => controller.abort(new Error('interrupted'));
  const carrying = carryOut(trials(['a', 'b'], log), client, {
    written,
    signal: controller.signal,
  });
  await assert.rejects(carrying, /interrupted/);
});

test('sets the conditions of a trial when nothing of the previous one is in progress', async () => {
  const log: string[] = [];
  const client: Client = {
    isWorn: false,
    prepare: async ({ id }) => id,
    measure: async (id) => {
      log.push(`measures ${id}`);
      return {} as Attempt;
    },
    readyForNext: async () => {},
    dispose: async (id) => {
      await setImmediate();
      log.push(`disposed of ${id}`);
    },
    close: async () => {},
  };
  const begin = async ({ id }: Trial) => {
    log.push(`begins ${id}`);
    if (id === 'c') throw new Error('the path is gone');
  };
  const written = async ({ id }: Trial) => void log.push(`wrote ${id}`);
  const carrying = carryOut(trials(['a', 'b', 'c'], []), client, { begin, written });
  await assert.rejects(carrying, /the path is gone/);
  assert.deepEqual(log, [
    ...['begins a', 'measures a', 'disposed of a', 'wrote a'],
    ...['begins b', 'measures b', 'disposed of b', 'wrote b'],
    ...['begins c', 'disposed of c'],
  ]);
});

test('does not wait for what could not begin and never settles', async () => {
  const disposed: unknown[] = [];
  const client: Client = {
    isWorn: false,
    prepare: async ({ id }) => id,
    measure: async () => ({}) as Attempt,
    readyForNext: () => new Promise(() => {}),
    dispose: async (id) => void disposed.push(id),
    close: async () => {},
  };
  const begin = () => Promise.reject(new Error('interrupted'));
  const carrying = carryOut(trials(['a', 'b'], []), client, { begin, written: async () => {} });
  await assert.rejects(carrying, /interrupted/);
  assert.deepEqual(disposed, ['a']);
});
