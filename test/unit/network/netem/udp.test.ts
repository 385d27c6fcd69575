import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UdpTreatment } from '../../../../ground/records/network.ts';
import {
  droppedCommand,
  readDropped,
  removeTreatmentCommands,
  treatmentCommands,
} from '../../../../network/netem/arguments.ts';

const BLOCKED: UdpTreatment = { treatment: 'blocked', kbps: null };
const REJECTED: UdpTreatment = { treatment: 'rejected', kbps: null };
const THROTTLED: UdpTreatment = { treatment: 'throttled', kbps: 1000 };

const typed = (commands: readonly string[][]) => commands.map((command) => command.join(' '));

test('treats UDP at its entry, after passing DNS', () => {
  const on = 'tc filter add dev toclient parent ffff: protocol ip pref';
  assert.deepEqual(typed(treatmentCommands(BLOCKED, 'toServer', 1500)), [
    'tc qdisc add dev toclient ingress',
    `${on} 1 u32 match ip protocol 17 0xff match ip sport 53 0xffff action ok`,
    `${on} 2 u32 match ip protocol 17 0xff match ip dport 53 0xffff action ok`,
    `${on} 3 u32 match ip protocol 17 0xff action drop`,
  ]);
  assert.ok(typed(treatmentCommands(BLOCKED, 'toClient', 1500))[3]?.includes('dev toserver '));
});

test("polices a throttled direction with the link's counting: with the Ethernet header, and the longest packet", () => {
  assert.match(
    typed(treatmentCommands(THROTTLED, 'toServer', 1500))[3] ?? '',
    /police rate 1000000bit burst 15140 mtu 1514 overhead 14 conform-exceed drop\/ok$/,
  );
});

test('counts rejected packets, prohibits at the router, and undoes everything', () => {
  const commands = typed(treatmentCommands(REJECTED, 'toServer', 1500));
  assert.match(commands[3] ?? '', /action ok$/);
  assert.deepEqual(commands.slice(4), [
    'ip rule add pref 1 iif toclient ipproto udp dport 53 lookup main',
    'ip rule add pref 2 iif toclient ipproto udp prohibit',
  ]);
  assert.deepEqual(typed(removeTreatmentCommands(REJECTED, 'toClient')), [
    'tc qdisc delete dev toserver ingress',
    'ip rule delete pref 3 iif toserver ipproto udp sport 53 lookup main',
    'ip rule delete pref 4 iif toserver ipproto udp prohibit',
  ]);
  assert.deepEqual(typed(removeTreatmentCommands(THROTTLED, 'toServer')), [
    'tc qdisc delete dev toclient ingress',
  ]);
});

test('reads the number of drops from the filter: all matches, or those beyond the rate', () => {
  assert.equal(
    droppedCommand('toServer').join(' '),
    'tc -statistics filter show dev toclient parent ffff: pref 3',
  );
  const printed = `filter protocol ip pref 3 u32 chain 0 fh 802::800 order 2048 key ht 802 bkt 0 terminal flowid not_in_hw
	action order 1:  police 0x1 rate 1Mbit burst 15140b mtu 1514b action drop/pass overhead 14b
	 Sent 101566 bytes 91 pkt (dropped 26, overlimits 26 requeues 0)
	 backlog 0b 0p requeues 0`;
  assert.equal(readDropped(printed, THROTTLED), 26);
  assert.equal(readDropped(printed, REJECTED), 91);
  assert.throws(() => readDropped('', BLOCKED), /expected statistics of a filter/);
});
