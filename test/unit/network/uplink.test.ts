import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tcpSetter } from '../../../network/end.ts';
import { DEFAULT_PACKET_SIZES } from '../../../network/path.ts';
import { makeUplink, UPLINK_ADDRESS, uplinkNamespaces } from '../../../network/uplink.ts';

const TCP = { congestionControl: 'cubic', initcwnd: 32 };
const UPLINK = { ...DEFAULT_PACKET_SIZES, ...TCP, beyond: [UPLINK_ADDRESS, '192.0.2.7'] };

/** An agent that records commands and their namespace, on a machine with these responses. */
function fakeAgent({ userNamespace = false, route = '', leads = 'quic-vs-https' } = {}) {
  const run: string[] = [];
  const agent = {
    userNamespace,
    holderOf: (namespace: string) => (namespace === 'uplink' ? 9 : 7),
    async run(place: string, command: readonly string[]) {
      const line = command.join(' ');
      run.push(`${place}: ${line}`);
      if (line.startsWith('ip route show')) return route;
      return line.startsWith('ip route get') ? `198.18.0.1 dev ${leads} src 198.18.255.1 \n` : '';
    },
  };
  return { agent, run };
}

test('makes no uplink for a path without servers beyond its end', async () => {
  const { agent, run } = fakeAgent();
  await makeUplink(agent, { ...UPLINK, beyond: [] });
  assert.deepEqual(run, []);
  assert.deepEqual(uplinkNamespaces({ beyond: [] }), []);
});

test("ends the machine's device in a namespace without connections, which would keep it", async () => {
  const { agent, run } = fakeAgent();
  await makeUplink(agent, UPLINK);
  assert.deepEqual(uplinkNamespaces(UPLINK), ['uplink']);
  const cables = run.filter((line) => line.includes('type veth'));
  assert.ok(
    cables.every((line) => line.endsWith('netns 9')),
    cables.join('\n'),
  );
  assert.ok(!run.some((line) => /^uplink: ip address/.test(line)));
});

test('gives the machine only a device with an address and the route to the client', async () => {
  const { agent, run } = fakeAgent();
  await makeUplink(agent, UPLINK);
  const ofMachine = run.filter(
    (line) => line.startsWith('machine: ') && !/ (show|get) /.test(line),
  );
  assert.deepEqual(ofMachine, [
    'machine: ip link add quic-vs-https address 02:00:00:00:00:01 type veth peer name tomachine address 02:00:00:00:00:01 netns 9',
    'machine: ip link set quic-vs-https arp off addrgenmode none',
    'machine: ip link set quic-vs-https mtu 1500 gso_max_segs 1 txqueuelen 10000',
    'machine: tc qdisc replace dev quic-vs-https root noqueue',
    'machine: ip address add 198.18.255.1/32 dev quic-vs-https',
    'machine: ip link set quic-vs-https up',
    'machine: ip route replace 198.18.0.0/24 dev quic-vs-https congctl cubic initcwnd 32',
  ]);
  for (const address of UPLINK.beyond) {
    assert.ok(run.includes(`server: ip route replace ${address}/32 dev uplink0`));
    assert.ok(run.includes(`uplink: ip route replace ${address}/32 dev tomachine`));
    assert.ok(
      run.includes(`client: ip route replace ${address}/32 dev path0 congctl cubic initcwnd 32`),
    );
  }
});

test("applies TCP's settings to servers beyond the path's end too", async () => {
  const { agent, run } = fakeAgent();
  await tcpSetter(agent, { ...TCP, beyond: ['192.0.2.7'] })({ initcwnd: 10 });
  assert.deepEqual(run.slice(-2), [
    'client: ip route replace 192.0.2.7/32 dev path0 congctl cubic initcwnd 10',
    'machine: ip route replace 198.18.0.0/24 dev quic-vs-https congctl cubic initcwnd 10',
  ]);
});

test('shows an ordinary user the alternatives', async () => {
  const { agent, run } = fakeAgent({ userNamespace: true });
  await assert.rejects(makeUplink(agent, UPLINK), {
    name: 'MachineError',
    message: /Run as root, or .*--server/,
  });
  assert.deepEqual(run, []);
});

test('names the conflicting part of the machine, and makes nothing', async () => {
  const { agent, run } = fakeAgent({ route: 'local 198.18.0.1 dev podman0 table local\n' });
  await assert.rejects(makeUplink(agent, UPLINK), {
    name: 'NetworkError',
    message: /local 198.18.0.1 dev podman0/,
  });
  assert.equal(run.length, 1);
});

test('names a rule of the machine that overrules the route to the client', async () => {
  const { agent } = fakeAgent({ leads: 'wg0' });
  await assert.rejects(makeUplink(agent, UPLINK), {
    name: 'NetworkError',
    message: /198.18.0.1 dev wg0/,
  });
});
