import { type Metric, metricNamed, numberOf } from '../../../ground/experiment.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import type { PlannedArm } from '../../../ground/records/run.ts';
import { bun } from '../../../ground/runtimes/bun.ts';
import type { Unit } from '../../../ground/unit.ts';
import { differenceMarkup, ratioColumn } from '../../../kit/page/estimate.ts';
import { html, type Insert, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { ratioOf } from '../../../kit/text/estimate.ts';
import { millisecondsText } from '../../../kit/text/number.ts';
import { FEWEST_FOR_INTERVAL } from '../../../statistics/interval.ts';
import { logRatios } from '../../../statistics/log-ratios.ts';
import { differenceEstimate, medianColumn } from '../../estimates.ts';
import { drawConditions } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { stackNamed } from '../../stacks.ts';
import { transfer } from '../experiment.ts';
import { plainQuic, plainTcp, plainTls } from '../servers/stack.ts';
import { countedOf, pairsOf, type Size, sizesOf, type Transfer } from './transfers.ts';

/** By protocol: the stack of the same runtime and client that lacks its upper layer alone. */
const LOWER: Readonly<Partial<Record<Protocol, string>>> = {
  h3: plainQuic.stack,
  h2: plainTls.stack,
  'http/1.1': plainTls.stack,
  tls: plainTcp.stack,
};

/** An arm with a layer, and the arm without it. */
type ArmPair = readonly [upper: ShownArm, lower: ShownArm];

interface Row {
  size: Size;
  pair: ArmPair;
}

type NumberIn = (transfer: Transfer) => number | null;

/** What HTTP costs over a QUIC stream and a TLS socket, and TLS over TCP, from pairs of one block. */
export const withoutHttp: Section<RunView> = {
  isShown: (view) => pairsIn(view).length > 0,
  ...defineOpenSection('without-http', 'HTTP and sockets', (view) => ({
    title: 'What HTTP adds to a socket',
    content: html`<p>Both stacks of a row send the same file over the same path to the same client, and every clock starts with the request for the connection and ends with the last byte.
A line of text takes the place of HTTP over the socket. <em>With</em> and <em>without</em> are medians of the total time. <em>Bytes sent</em> are those of packets in the direction of the file, <em>processor</em> is the time of both ends. Differences and ratios are with − without the layer (Hodges and Lehmann, 95 % intervals), over the pairs of transfers of one block; an interval needs ${FEWEST_FOR_INTERVAL} pairs. Each row
stands alone: with 20 rows, about one interval misses its value by chance. HTTP/2 and HTTP/1.1 come from Bun’s own server, sockets from its node:tls and node:net, so their rows include the difference between these programs; both stacks over QUIC use node:quic.</p>
${drawConditions(view, (condition, name) => conditionTable(view, sizesOf(countedOf(view, condition)), name))}`,
  })),
};

function pairsIn({ run, arms }: Pick<RunView, 'run' | 'arms'>): ArmPair[] {
  const settingsOf = ({ settings, under }: PlannedArm) => JSON.stringify([settings, under]);
  const shown = ({ arm }: PlannedArm) => arms.filter((each) => each.arm === arm);
  return run.arms.flatMap((upper) => {
    if (upper.own || stackNamed(upper.stack)?.runtime !== bun) return [];
    const lowers = run.arms.filter(
      (each) => each.stack === LOWER[upper.protocol] && settingsOf(each) === settingsOf(upper),
    );
    return shown(upper).flatMap((one) =>
      lowers.flatMap(shown).map((other): ArmPair => [one, other]),
    );
  });
}

function conditionTable(view: RunView, sizes: readonly Size[], name: string): Markup | null {
  if (sizes.length === 0) return null;
  const median = (heading: string, place: 0 | 1): Column<Row> =>
    medianColumn(
      heading,
      ({ size, pair }) =>
        (size.transfers.get(pair[place].arm) ?? []).map(numberOfMetric('totalMs')),
      millisecondsText,
    );
  return table({
    label: `HTTP and sockets, ${name}`,
    caption: html`Total times, and differences between both stacks of a row, <bdi>${name}</bdi>`,
    columns: [
      [
        'With, without',
        ({ pair }): Insert => html`${stackLabel(pair[0])}<br>${stackLabel(pair[1])}`,
      ],
      ['Pairs', (row) => valuesOf(row, numberOfMetric('totalMs')).length],
      median('With, ms', 0),
      median('Without, ms', 1),
      difference('Total, ms', numberOfMetric('totalMs'), 'ms'),
      ratioColumn('ratio', (row: Row) =>
        ratioOf(differenceEstimate(logRatios(valuesOf(row, numberOfMetric('totalMs'))))),
      ),
      difference('Connection, ms', numberOfMetric('connectMs'), 'ms'),
      difference('First byte, ms', numberOfMetric('firstByteMs'), 'ms'),
      difference('Bytes sent', sentBytes, 'bytes'),
      difference('Processor, ms', cpuMs, 'ms'),
    ],
    groups: sizes.map((size) => [
      nameOf(size.subject),
      pairsIn(view).map((pair) => ({ size, pair })),
    ]),
  });
}

function difference(heading: string, numberIn: NumberIn, unit: Unit): Column<Row> {
  const of = (row: Row) => valuesOf(row, numberIn).map(([upper, lower]) => upper - lower);
  return [heading, (row) => differenceMarkup(differenceEstimate(of(row)), unit)];
}

function valuesOf({ size, pair: [upper, lower] }: Row, numberIn: NumberIn) {
  return pairsOf(size, [upper.arm, lower.arm], numberIn);
}

function numberOfMetric(name: Metric['name']): NumberIn {
  const metric = metricNamed(transfer, name);
  return (each) => numberOf(each, metric);
}

/** Bytes of packets in the direction of the body, from the handshake on. */
function sentBytes({ path, details }: Transfer): number | null {
  if (path === null || details === null) return null;
  return details.direction === 'upload' ? path.toServer.bytes : path.toClient.bytes;
}

function cpuMs({ metrics: { clientCpuMs = null, serverCpuMs = null } }: Transfer): number | null {
  return clientCpuMs === null || serverCpuMs === null ? null : clientCpuMs + serverCpuMs;
}
