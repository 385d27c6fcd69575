import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkAsRoot,
  checkCongestionControls,
  checkNetem,
  checkNetworkTools,
  checkPriority,
  checkTun,
  obstacle,
} from '../../../checks/network.ts';

test('reports to root whether ordinary users could do the same', () => {
  assert.match(checkAsRoot(null).found, /ordinary users could create them too/);
  assert.match(checkAsRoot('it is forbidden').found, /could not: it is forbidden/);
});

test('names the setting that keeps ordinary users from namespaces', () => {
  const settings = (values: Record<string, string>) => (name: string) => values[name] ?? null;
  const why = (values: Record<string, string>) => obstacle('not permitted', settings(values));
  assert.match(why({ 'kernel/apparmor_restrict_unprivileged_userns': '1' }), /AppArmor/);
  assert.match(why({ 'user/max_user_namespaces': '0' }), /max_user_namespaces is 0/);
  assert.match(why({ 'kernel/unprivileged_userns_clone': '0' }), /userns_clone is 0/);
  assert.equal(why({ 'kernel/apparmor_restrict_unprivileged_userns': '0' }), 'not permitted');
});

test('only notes a missing netem: there is the user-space link', () => {
  assert.equal(checkNetem(true, '6.1').status, 'ok');
  assert.equal(checkNetem(false, '6.1').status, 'note');
});

test('requires netem without TUN devices', () => {
  const refused = { found: 'no /dev/net/tun', remedy: 'Load the module tun' };
  assert.equal(checkTun(null, false).status, 'ok');
  assert.equal(checkTun(refused, true).status, 'note');
  assert.deepEqual(checkTun(refused, false), { status: 'lack', ...refused });
});

test('notes a missing congestion control of TCP with the command that loads it', () => {
  assert.equal(checkCongestionControls(['reno', 'bbr', 'cubic']).status, 'ok');
  const { status, found, remedy } = checkCongestionControls(['reno', 'cubic']);
  assert.equal(status, 'note');
  assert.match(found, /reno, cubic; --cc bbr cannot/);
  assert.equal(remedy, 'sudo modprobe tcp_bbr');
});

test('notes less than real-time priority with its effect', () => {
  assert.equal(checkPriority('fifo').status, 'ok');
  for (const realtime of ['eevdf', 'none'] as const) {
    const { status, found, remedy } = checkPriority(realtime);
    assert.equal(status, 'note');
    assert.match(found, /late/);
    assert.match(remedy ?? '', /root/);
  }
});

test('names missing network tools with their packages', () => {
  const ip = { program: 'ip', from: 'iproute2', version: 'ip utility, iproute2-6.1.0, libbpf' };
  const tc = { program: 'tc', from: 'iproute2', version: null };
  const sysctl = { program: 'sysctl', from: 'procps', version: null };
  assert.match(checkNetworkTools([ip]).found, /iproute2 6\.1\.0/);
  const finding = checkNetworkTools([ip, tc, sysctl]);
  assert.equal(finding.found, 'missing: tc, sysctl');
  assert.match(finding.remedy ?? '', /apt-get install iproute2 procps$/);
});
