import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeBun } from '../../../../../runner/doctor/checks/bun.ts';
import { judgeChromium } from '../../../../../runner/doctor/checks/chromium.ts';
import { judgeNetworkTools } from '../../../../../runner/doctor/checks/network-tools.ts';
import { judgeNode } from '../../../../../runner/doctor/checks/node.ts';
import { judgePython } from '../../../../../runner/doctor/checks/python.ts';
import { judgeSetUp } from '../../../../../runner/doctor/checks/set-up.ts';

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

test('Bun without QUIC is a lack', () => {
  assert.equal(judgeBun({ ok: true, output: '1.4.5' }).status, 'ok');
  const finding = judgeBun({ ok: false, reason: 'error: Cannot find package "node:quic"' });
  assert.equal(finding.status, 'lack');
  assert.match(finding.found, /node:quic/);
});

test('Python is told with Flask, and a system Python as what set-up can use', () => {
  const complete = judgePython({ ok: true, output: '["3.11.7","3.1.3","23.0"]' }, gone);
  assert.deepEqual(complete, {
    status: 'ok',
    found: 'Python 3.11.7 with Flask 3.1.3 and gunicorn 23.0',
  });
  const halfway = judgePython(gone, { ok: true, output: 'Python 3.12.1' });
  assert.match(halfway.found, /not complete.*the system has Python 3\.12\.1/);
  assert.match(judgePython(gone, gone).remedy ?? '', /apt-get install python3/);
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

test('missing network tools are named with the packages that bring them', () => {
  const ip = { program: 'ip', from: 'iproute2', version: 'ip utility, iproute2-6.1.0, libbpf' };
  const tc = { program: 'tc', from: 'iproute2', version: null };
  const sysctl = { program: 'sysctl', from: 'procps', version: null };
  assert.match(judgeNetworkTools([ip]).found, /iproute2 6\.1\.0/);
  const finding = judgeNetworkTools([ip, tc, sysctl]);
  assert.equal(finding.found, 'missing: tc, sysctl');
  assert.match(finding.remedy ?? '', /apt-get install iproute2 procps$/);
});
