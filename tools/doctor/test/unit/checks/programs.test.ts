import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectingClient } from '../../../../../clients/client.ts';
import { CONNECTING_CLIENTS } from '../../../../../clients/index.ts';
import { bun } from '../../../../../ground/runtimes/bun.ts';
import { go } from '../../../../../ground/runtimes/go.ts';
import { python } from '../../../../../ground/runtimes/python.ts';
import type { ProgramOutput } from '../../../../../ground/system/program-output.ts';
import {
  judgeChromium,
  judgeClient,
  judgeNode,
  judgeOnDemand,
  judgeRuntime,
  judgeSetUp,
  judgeTshark,
} from '../../../checks/programs.ts';

const gone = { ok: false, reason: 'it is not there' } as const;

test('Chromium is told by version and path', () => {
  const answer = { ok: true, output: 'Chromium 140.0.7339.1 built on Debian' } as const;
  const finding = judgeChromium('/usr/lib/chromium/chromium', answer);
  assert.deepEqual(finding, { status: 'ok', found: '140.0.7339.1, /usr/lib/chromium/chromium' });
});

test('a Chromium that is gone is told apart from one that was never looked for', () => {
  assert.match(judgeChromium('/opt/chrome', gone).found, /\/opt\/chrome: it is not there/);
  const unknown = judgeChromium(undefined, null);
  assert.match(unknown.found, /set-up has not run/);
  assert.match(unknown.remedy ?? '', /npm run setup.*CHROMIUM_PATH/);
});

test('a missing tshark is worth a note, with the package that has it', () => {
  const output = 'TShark (Wireshark) 4.0.17 (Git v4.0.17 packaged as 4.0.17-0)';
  assert.deepEqual(judgeTshark({ ok: true, output }), {
    status: 'ok',
    found: '4.0.17: reads what --packets captures',
  });
  const { status, remedy } = judgeTshark(gone);
  assert.equal(status, 'note');
  assert.match(remedy ?? '', /apt-get install tshark/);
});

test('a further client that is not set up is worth a note, with the command that sets it up', () => {
  const { curl } = CONNECTING_CLIENTS;
  const { runtime } = curl as ConnectingClient;
  assert.ok(runtime);
  const output = '{"python":"3.11.7","curl-cffi":"0.16.3"}';
  assert.deepEqual(judgeClient(curl, runtime, { ok: true, output }), {
    status: 'ok',
    found: 'curl-cffi 0.16.3 (Python 3.11.7)',
  });
  const { status, remedy } = judgeClient(curl, runtime, gone);
  assert.equal(status, 'note');
  assert.match(remedy ?? '', /npm run setup -- --clients curl/);
});

test('Bun without QUIC is a lack', () => {
  const complete = judgeRuntime(bun, { ok: true, output: '{"bun":"1.4.5"}' }, null);
  assert.deepEqual(complete, { status: 'ok', found: '1.4.5, with QUIC (lsquic)' });
  const reason = 'error: Cannot find package "node:quic"';
  const finding = judgeRuntime(bun, { ok: false, reason }, null);
  assert.equal(finding.status, 'lack');
  assert.match(finding.found, /node:quic/);
  assert.match(finding.remedy ?? '', /npm run setup/);
});

test('Python is told with Flask, and a system Python as what set-up can use', () => {
  const output = '{"python":"3.11.7","flask":"3.1.3","gunicorn":"23.0"}';
  const complete = judgeRuntime(python, { ok: true, output }, gone);
  assert.deepEqual(complete, {
    status: 'ok',
    found: 'Python 3.11.7 with Flask 3.1.3 and gunicorn 23.0',
  });
  const halfway = judgeRuntime(python, gone, { ok: true, output: 'Python 3.12.1' });
  assert.match(halfway.found, /not complete.*the system has Python 3\.12\.1/);
  assert.match(judgeRuntime(python, gone, gone).remedy ?? '', /apt-get install python3/);
});

test('Go that is not set up is worth a note, with the command, or with where to get a newer one', () => {
  const judged = (answer: ProgramOutput, system: ProgramOutput) =>
    judgeOnDemand(go, ['quic-go-h3', 'go-h2'], answer, system);
  const recent = { ok: true, output: 'go version go1.26.8 linux/amd64' } as const;
  const built = { ok: true, output: '{"go":"1.26.8","quic-go":"0.65.0"}' } as const;
  assert.deepEqual(judged(built, gone), { status: 'ok', found: 'Go 1.26.8 with quic-go 0.65.0' });
  assert.deepEqual(judged(gone, recent), {
    status: 'note',
    found: 'not set up: only needed for --stacks quic-go-h3,go-h2',
    remedy: 'Run: npm run setup -- --stacks quic-go-h3',
  });
  const old = judged(gone, { ok: true, output: 'go version go1.19.8 linux/amd64' });
  assert.equal(old.status, 'note');
  assert.match(old.found, /the system has go version go1\.19\.8/);
  assert.match(old.remedy ?? '', /go\.dev\/dl.*Then: npm run setup -- --stacks quic-go-h3/);
  const none = judged(gone, gone);
  assert.equal(none.status, 'note');
  assert.match(none.found, /there is no go$/);
  assert.match(none.remedy ?? '', /go\.dev\/dl/);
});

test("Node is the project's own, whatever runs the doctor", () => {
  assert.deepEqual(judgeNode('22.18.0', 'v24.21.0'), { status: 'ok', found: '24.21.0' });
  assert.equal(judgeNode('24.21.0', null).status, 'lack');
  assert.match(judgeNode('24.21.0', 'v22.1.0').found, /24 is needed/);
});

test('an incomplete set-up names what is missing', () => {
  const complete = { hasRun: true, hasAuthority: true, sites: 46 };
  assert.match(judgeSetUp(complete).found, /46 sites/);
  const finding = judgeSetUp({ ...complete, hasAuthority: false, sites: 0 });
  assert.equal(finding.status, 'lack');
  assert.match(finding.found, /certificates, the site cache missing/);
  assert.match(finding.remedy ?? '', /npm run setup/);
});
