import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bun } from '../../../../../ground/runtimes/bun.ts';
import { python } from '../../../../../ground/runtimes/python.ts';
import type { ProgramOutput } from '../../../../../ground/system/program-output.ts';
import { MADE_UP_RUNTIME } from '../../../../../test/unit/servers/made-up-stacks.ts';
import {
  checkBrowser,
  checkClient,
  checkNode,
  checkOnDemand,
  checkRuntime,
  checkSetUp,
  checkTshark,
} from '../../../checks/programs.ts';

const gone = { ok: false, reason: 'it is not there' } as const;

test('reports browsers by version and path', () => {
  for (const [kind, output, version] of [
    ['chromium', 'Chromium 140.0.7339.1 built on Debian', '140.0.7339.1'],
    ['firefox', 'Mozilla Firefox 153.8.0esr', '153.8.0esr'],
  ] as const) {
    assert.deepEqual(checkBrowser(kind, '/opt/browser', { ok: true, output }), {
      status: 'ok',
      found: `${version}, /opt/browser`,
    });
  }
});

test('distinguishes a missing browser from one never looked for', () => {
  assert.match(
    checkBrowser('chromium', '/opt/chrome', gone).found,
    /\/opt\/chrome: it is not there/,
  );
  const unknown = checkBrowser('chromium', undefined, null);
  assert.match(unknown.found, /set-up has not run/);
  assert.match(unknown.remedy ?? '', /npm run setup .*CHROMIUM_PATH/);
  assert.equal(checkBrowser('firefox', '/opt/firefox', gone).status, 'lack');
  const { status, remedy } = checkBrowser('firefox', undefined, null);
  assert.equal(status, 'note');
  assert.match(remedy ?? '', /npm run setup -- --browser firefox .*FIREFOX_PATH/);
});

test('reports a missing tshark as a note, with the package that has it', () => {
  const output = 'TShark (Wireshark) 4.0.17 (Git v4.0.17 packaged as 4.0.17-0)';
  assert.deepEqual(checkTshark({ ok: true, output }), {
    status: 'ok',
    found: '4.0.17: reads captures of --packets',
  });
  const { status, remedy } = checkTshark(gone);
  assert.equal(status, 'note');
  assert.match(remedy ?? '', /apt-get install tshark/);
});

test('reports a further client that is not set up as a note, with the command that sets it up', () => {
  const runtime = { versionsText: ({ further = '' }) => `further ${further}` };
  const answer = { ok: true, output: '{"further":"0.16.3"}' } as const;
  assert.deepEqual(checkClient({ name: 'further' }, runtime, answer), {
    status: 'ok',
    found: 'further 0.16.3',
  });
  const { status, remedy } = checkClient({ name: 'further' }, runtime, gone);
  assert.equal(status, 'note');
  assert.match(remedy ?? '', /npm run setup -- --clients further/);
});

test('reports Bun without QUIC as a defect', () => {
  const complete = checkRuntime(bun, { ok: true, output: '{"bun":"1.4.5"}' }, null);
  assert.deepEqual(complete, { status: 'ok', found: '1.4.5, with QUIC (lsquic)' });
  const reason = 'error: Cannot find package "node:quic"';
  const finding = checkRuntime(bun, { ok: false, reason }, null);
  assert.equal(finding.status, 'lack');
  assert.match(finding.found, /node:quic/);
  assert.match(finding.remedy ?? '', /npm run setup/);
});

test('reports Python with Flask, and a system Python that set-up can use', () => {
  const output = '{"python":"3.11.7","flask":"3.1.3","gunicorn":"23.0"}';
  const complete = checkRuntime(python, { ok: true, output }, gone);
  assert.deepEqual(complete, {
    status: 'ok',
    found: 'Python 3.11.7 with Flask 3.1.3 and gunicorn 23.0',
  });
  const halfway = checkRuntime(python, gone, { ok: true, output: 'Python 3.12.1' });
  assert.match(halfway.found, /not complete.*the system has Python 3\.12\.1/);
  assert.match(checkRuntime(python, gone, gone).remedy ?? '', /apt-get install python3/);
});

test('reports a runtime on demand that is not set up as a note, with the command, or the source of what it needs', () => {
  const judged = (answer: ProgramOutput, system: ProgramOutput) =>
    checkOnDemand(MADE_UP_RUNTIME, ['made-up-h3', 'made-up-h2'], answer, system);
  const recent = { ok: true, output: 'maker 2' } as const;
  const built = { ok: true, output: '{"made":"1.2.3"}' } as const;
  assert.deepEqual(judged(built, gone), { status: 'ok', found: 'made-up 1.2.3' });
  assert.deepEqual(judged(gone, recent), {
    status: 'note',
    found: 'not set up: only needed for --stacks made-up-h3,made-up-h2',
    remedy: 'Run: npm run setup -- --stacks made-up-h3',
  });
  const old = judged(gone, { ok: true, output: 'maker 1' });
  assert.equal(old.status, 'note');
  assert.match(old.found, /the system has maker 1$/);
  assert.match(old.remedy ?? '', /^maker 2 or newer.*Then: npm run setup -- --stacks made-up-h3/);
  const none = judged(gone, gone);
  assert.equal(none.status, 'note');
  assert.match(none.found, /there is no maker$/);
  assert.match(none.remedy ?? '', /maker 2 or newer/);
});

test("reports the project's own Node, whichever runs the doctor", () => {
  assert.deepEqual(checkNode('22.18.0', 'v24.21.0'), { status: 'ok', found: '24.21.0' });
  assert.equal(checkNode('24.21.0', null).status, 'lack');
  assert.match(checkNode('24.21.0', 'v22.1.0').found, /expected 24/);
});

test('names what is missing of an incomplete set-up', () => {
  const complete = { hasRun: true, hasAuthority: true, sites: 46 };
  assert.match(checkSetUp(complete).found, /46 sites/);
  const finding = checkSetUp({ ...complete, hasAuthority: false, sites: 0 });
  assert.equal(finding.status, 'lack');
  assert.match(finding.found, /certificates, the site cache missing/);
  assert.match(finding.remedy ?? '', /npm run setup/);
});
