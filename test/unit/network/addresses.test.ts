import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressesOfEnd,
  addressOfHost,
  CLIENT_ADDRESS,
  commandsOfEnd,
} from '../../../network/addresses.ts';
import { DEFAULT_PACKET_SIZES, longestPacketBytes } from '../../../network/path.ts';

const END = { hosts: 2, congestionControl: 'cubic', initcwnd: null, ...DEFAULT_PACKET_SIZES };

test("gives every host an address of its own, different from the client's", () => {
  assert.equal(addressOfHost(0), '198.18.1.1');
  assert.equal(addressOfHost(249), '198.18.1.250');
  assert.equal(addressOfHost(250), '198.18.2.1');
  assert.equal(addressOfHost(62_499), '198.18.250.250');
  const addresses = Array.from({ length: 1000 }, (_, index) => addressOfHost(index));
  assert.equal(new Set([...addresses, CLIENT_ADDRESS]).size, 1001);
});

test('rejects a host without an address', () => {
  for (const index of [-1, 0.5, 62_500]) {
    assert.throws(() => addressOfHost(index), RangeError);
  }
});

test("gives the server's end an address for each host, and the client's just one", () => {
  assert.deepEqual(addressesOfEnd({ end: 'server', hosts: 2 }), ['198.18.1.1/32', '198.18.1.2/32']);
  assert.deepEqual(addressesOfEnd({ end: 'client', hosts: 2 }), ['198.18.0.1/32']);
});

test("makes the client's end from settings, device, address and the route to the servers", () => {
  const commands = commandsOfEnd({ ...END, end: 'client' }).map((command) => command.join(' '));
  assert.deepEqual(commands, [
    'sysctl -e -q -w net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1',
    'sysctl -q -w net.ipv4.ip_unprivileged_port_start=0',
    'sysctl -e -q -w net.mptcp.enabled=0',
    'sysctl -q -w net.ipv4.tcp_no_metrics_save=1 net.ipv4.tcp_ecn=0 net.ipv4.tcp_slow_start_after_idle=0',
    'ip link set lo up',
    'ip link set path0 mtu 1500 gso_max_segs 1 txqueuelen 10000',
    'tc qdisc replace dev path0 root noqueue',
    'ip address add 198.18.0.1/32 dev path0',
    'ip link set path0 up',
    'ip route replace 198.18.0.0/16 dev path0 congctl cubic',
  ]);
});

test("routes the server's end only to the client, with the requested window", () => {
  const commands = commandsOfEnd({ ...END, end: 'server', initcwnd: 32 });
  assert.deepEqual(
    commands.filter(([, what]) => what === 'address' || what === 'route'),
    [
      ['ip', 'address', 'add', '198.18.1.1/32', 'dev', 'path0'],
      ['ip', 'address', 'add', '198.18.1.2/32', 'dev', 'path0'],
      'ip route replace 198.18.0.0/24 dev path0 congctl cubic initcwnd 32'.split(' '),
    ],
  );
});

test("gives the device the requested MTU, and with offloads the kernel's groups of segments", () => {
  const deviceOf = (packets: Partial<typeof DEFAULT_PACKET_SIZES>) =>
    commandsOfEnd({ ...END, ...packets, end: 'client' })
      .map((command) => command.join(' '))
      .find((line) => line.startsWith('ip link set path0 mtu'));
  assert.equal(
    deviceOf({ mtuBytes: 65_535 }),
    'ip link set path0 mtu 65535 gso_max_segs 1 txqueuelen 10000',
  );
  assert.equal(deviceOf({ offloads: 'on' }), 'ip link set path0 mtu 1500 txqueuelen 10000');
});

test('allows packets up to the longest IP packet with offloads', () => {
  assert.equal(longestPacketBytes({ mtuBytes: 1500, offloads: 'off' }), 1500);
  assert.equal(longestPacketBytes({ mtuBytes: 1500, offloads: 'on' }), 65_535);
});

test('gives no end a default route', () => {
  for (const end of ['client', 'server'] as const) {
    for (const command of commandsOfEnd({ ...END, end })) {
      assert.ok(!command.includes('default') && !command.includes('via'), command.join(' '));
    }
  }
});
