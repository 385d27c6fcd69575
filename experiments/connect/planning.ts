import path from 'node:path';
import { clientFor } from '../../clients/index.ts';
import type { RunValues } from '../../ground/options/common.ts';
import { type Host, hostText, readHosts } from '../../ground/options/hosts.ts';
import { trustOf } from '../../ground/options/trust.ts';
import type { ConnectionTransport } from '../../ground/records/connection-transport.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { isIPv6 } from '../../ground/system/ip-address.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { armsByTransport, liveArms, supportsAny, transportOf } from '../arms.ts';
import type { Planning, PlanRequest } from '../planning.ts';
import type { LiveSubject } from '../subjects.ts';
import { type ConnectionChoices, connectionsOf } from './choices.ts';
import type { CONNECTION_OPTIONS } from './options.ts';

type ConnectValues = RunValues<typeof CONNECTION_OPTIONS>;

/** Default of --via for live hosts: the transports that browsers use today. */
const LIVE_TRANSPORTS: readonly ConnectionTransport[] = ['quic', 'tls1.3'];

/** @throws UsageError for options that the bench's path does not support or that are incompatible */
function connectionChoicesOf(
  values: ConnectValues,
  {
    arms,
    client,
  }: Pick<PlanRequest, 'client'> & { arms: readonly Pick<Stack, 'serverStack' | 'protocol'>[] },
): ConnectionChoices {
  const { live, ipv, requests, path: requestPath, every, repetitions } = values;
  const asTable = values['as-table'];
  if (!live && ipv.includes('6')) {
    throw new UsageError(
      "--ipv 6: the bench's own path supports only IPv4. Connect to hosts with --live.",
    );
  }
  if (every !== null && repetitions === 'auto') {
    throw new UsageError('--every needs a number of rounds. Add --repetitions N.');
  }
  if (requestPath !== null && requests === 0) {
    throw new UsageError('--path needs a request. Add --requests 1.');
  }
  if (requestPath !== null && !requestPath.startsWith('/')) {
    throw new UsageError(`--path ${requestPath}: expected a path that begins with /.`);
  }
  const { label, connect } = clientFor('connect', client);
  const { resumptions } = connect;
  const unable = arms.map(transportOf).find((each) => resumptions[each] === undefined);
  if (unable !== undefined) {
    throw new UsageError(
      `--client ${client}: ${label} cannot connect by ${unable}. Add --via ${shellWord(Object.keys(resumptions).join())}.`,
    );
  }
  return {
    live,
    client,
    requests,
    requestPath,
    localPort: values['local-port'],
    trust: live ? trustOf(values) : null,
    asTable: asTable === null ? null : path.resolve(asTable),
    everyMs: every,
  };
}

/** An arm for each stack and each transport of --via that it supports. */
function armsOf(
  stacks: readonly Stack[],
  { via: transports, stacks: named }: ConnectValues,
): readonly Stack[] {
  if (transports === null) return stacks;
  return armsByTransport(
    named === null ? stacks.filter((stack) => supportsAny(stack, transports)) : stacks,
    transports,
  );
}

function subjectOfHost(host: Host): LiveSubject {
  const subject = hostText(host);
  const { href: url } = new URL(`https://${isIPv6(subject) ? `[${subject}]` : subject}/`);
  return { subject, url, source: 'a host of the network', kind: 'host' };
}

function problemOf(plan: PlanRecord): string | null {
  const { live, client } = connectionsOf(plan) ?? {};
  if (live !== isLiveRun(plan)) {
    return `choices.connections.live is ${live}, which contradicts the networks`;
  }
  const other = plan.arms.find((arm) => arm.client !== client);
  return other
    ? `choices.connections.client is ${client}, and ${other.arm} has ${other.client}`
    : null;
}

export const planning: Planning = {
  choices: connectionChoicesOf,
  live: {
    noun: 'hosts',
    operands: 'HOST, HOST:PORT or @FILE',
    otherwise: 'Without hosts, it connects to local servers',
    read: (operands) => readHosts(operands).map(subjectOfHost),
    fromPlan({ subject, url }) {
      const [host] = readHosts([url]);
      const own = host && subjectOfHost(host);
      return own?.subject === subject ? own : null;
    },
    arms: ({ via }: ConnectValues) => liveArms(via ?? LIVE_TRANSPORTS),
  },
  arms: armsOf,
  everyMs: (choices) => connectionsOf({ choices })?.everyMs ?? null,
  problem: problemOf,
  async prepare(choices) {
    const { asTable = null } = connectionsOf({ choices }) ?? {};
    if (asTable !== null) await (await import('../../network/as-table.ts')).readAsTable(asTable);
  },
  trust(choices) {
    const connections = connectionsOf({ choices });
    return connections?.live ? connections.trust : 'system';
  },
};
