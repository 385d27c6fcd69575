import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capturesPackets, writePackets } from '../../../experiments/packets.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { CHOICES } from '../../e2e/choices.ts';
import { readCapture } from '../../pcapng.ts';
import { fixtureRun } from '../report/fixture-run.ts';

const RANDOM = 'a'.repeat(64);
const KEYS = `SERVER_TRAFFIC_SECRET_0 ${RANDOM} 01\n`;
const { run } = fixtureRun({ repetitions: 1 });

function trialOf(changes: Partial<Trial> = {}): Trial {
  const found = run.trials.find(({ warmup }) => !warmup);
  assert.ok(found);
  return { ...found, ...changes };
}

/** Files and warnings of an attempt. */
async function write(
  trial: Trial,
  {
    readKeyLog = async () => KEYS,
    missed = 0,
    writePackets: save = async () => 'packets/file.pcapng',
  } = {},
) {
  const headers: Uint8Array[] = [];
  const warnings: string[] = [];
  const origins = { 'a.example': '10.89.1.1:443', 'b.example:8443': '10.89.1.1:443' };
  const made = await writePackets(trial, pageLoad, readKeyLog, {
    path: {
      answeredRandoms: async () => [RANDOM],
      writeCapture: async () => ({ missed }),
    },
    servers: [
      {
        stack: { stack: trial.arm, protocol: 'h2' },
        origins,
        spkiPins: [],
        pid: 1,
        follow: () => () => {},
      },
    ],
    choices: { ...CHOICES, packets: 'all' },
    versions: { 'quic-vs-https': '1.2' },
    results: {
      async writePackets(_, header, add) {
        headers.push(header);
        await add('file.pcapng.unfinished');
        return save();
      },
    },
    warn: (sentence) => void warnings.push(sentence),
  });
  return { ...made, warnings, header: readCapture(Buffer.concat(headers)) };
}

test('captures packets of the selected attempts', () => {
  const captured = (packets?: 'none' | 'all' | 'median' | 'warm-ups') =>
    [true, false].map((warmup) => capturesPackets({ packets }, { warmup }));
  assert.deepEqual(captured(), [false, false]);
  assert.deepEqual(captured('none'), [false, false]);
  assert.deepEqual(captured('warm-ups'), [true, false]);
  assert.deepEqual(captured('median'), [true, true]);
  assert.deepEqual(captured('all'), [true, true]);
  for (const packets of ['all', 'warm-ups'] as const) {
    assert.ok(!capturesPackets({ packets }, { warmup: true, filmed: true }), 'never of a film');
  }
});

test('has a description, the names of its addresses, and the keys in a capture', async () => {
  const trial = trialOf({ factors: { visit: 'reload' } });
  const { files, failure, warnings, header } = await write(trial);
  assert.deepEqual([files, failure, warnings], [{ packets: 'packets/file.pcapng' }, null, []]);
  const { subject, arm, network, repetition } = trial;
  assert.equal(
    header.comment,
    `${subject} by ${arm}, network ${network.name}, reload visit, repetition ${repetition}`,
  );
  assert.equal(header.program, 'quic-vs-https 1.2');
  assert.equal(header.keyLog, KEYS);
  assert.deepEqual(
    header.names,
    new Map([
      ['198.18.0.1', ['browser']],
      ['10.89.1.1', ['a.example', 'b.example']],
    ]),
  );
});

test('waits for keys that are written later, and reports missing ones', async () => {
  let reads = 0;
  const late = await write(trialOf(), { readKeyLog: async () => (++reads > 3 ? KEYS : '') });
  assert.equal(late.header.keyLog, KEYS);
  assert.doesNotMatch(late.header.comment, /missing/);
  const never = await write(trialOf(), { readKeyLog: async () => '' });
  assert.equal(never.failure, null);
  assert.match(never.header.comment, /The keys of 1 of 1 connections are missing\./);
});

test('warns of packets without room, and fails for a file that cannot be written', async () => {
  const { warnings } = await write(trialOf(), { missed: 3 });
  assert.match(warnings.join(), /incomplete: .* no room for 3/);
  const full = () => Promise.reject(new Error('No space left on device'));
  const { files, failure } = await write(trialOf(), { writePackets: full });
  assert.deepEqual(files, {});
  assert.deepEqual(failure, {
    code: 'packets-failed',
    message: 'No packets could be written: No space left on device',
  });
});
