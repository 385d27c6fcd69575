import { readTcpSamples } from '../../ground/records/tcp-sample.ts';
import { figure } from '../../kit/page/figure.ts';
import { html } from '../../kit/page/markup.ts';
import type { ChartStack } from '../../kit/page/stack.ts';
import { bytesText, countText, millisecondsText } from '../../kit/text/number.ts';
import { readCapture } from '../connections/capture-reader.ts';
import type { PageSection } from '../flow/page.ts';
import { roundTripsChart, windowsChart } from './chart.ts';
import { type LoadWindows, totalsOf } from './load-windows.ts';
import { QuicWindows } from './quic-windows.ts';
import { tcpWindows } from './tcp-windows.ts';

/** A capture, and what the kernel said of its TCP connections meanwhile. */
interface SampledCapture {
  file: string;
  arm: ChartStack;
  /** Of TCP_INFO; null: there are none. */
  samples: string | null;
}

/**
 * Draws the windows of the first load of each arm, where the kernel was asked for those of TCP; else there is nothing to draw them beside.
 * @throws what readCapture() throws
 */
export async function windowsOf(captures: readonly SampledCapture[]): Promise<PageSection[]> {
  if (captures.every(({ samples }) => samples === null)) return [];
  const firsts = [...Map.groupBy(captures, ({ arm }) => arm.arm).values()].flatMap(
    ([first]) => first ?? [],
  );
  const loads = (await Promise.all(firsts.map(loadWindows))).filter(
    (load) => load.connections.length > 0,
  );
  return loads.length === 0 ? [] : [section(loads)];
}

async function loadWindows({ file, arm, samples }: SampledCapture): Promise<LoadWindows> {
  let quic: QuicWindows | null = null;
  let beginMs = 0;
  await readCapture(file, {}, (placed) => {
    const { s, ns } = placed.packet;
    if (quic === null) beginMs = s * 1000 + ns / 1e6;
    quic ??= new QuicWindows(beginMs);
    quic.take(placed);
  });
  const connections =
    samples === null
      ? ((quic as QuicWindows | null)?.windows() ?? [])
      : await tcpWindows(readTcpSamples(samples), beginMs);
  return { arm, source: samples === null ? 'packets' : 'kernel', connections };
}

function section(loads: readonly LoadWindows[]): PageSection {
  const names = loads.map(({ arm }) => arm.label).join(', ');
  const rows = loads.map(({ arm, source, connections }) => {
    const totals = totalsOf(connections);
    const windows = totals.flatMap(({ cwndBytes }) => cwndBytes ?? []);
    const rtts = connections.flatMap(({ points }) => points.flatMap(({ rttMs }) => rttMs ?? []));
    return html`<tr><th scope="row" class="text"><bdi>${arm.label}</bdi></th><td class="text">${source === 'kernel' ? 'TCP_INFO' : 'estimated from packets'}</td><td>${countText(connections.length)}</td><td>${windows.length > 0 ? bytesText(Math.max(...windows)) : 'not known'}</td><td>${bytesText(Math.max(0, ...totals.map(({ inFlightBytes }) => inFlightBytes)))}</td><td>${millisecondsText(rtts.length > 0 ? Math.min(...rtts) : null)}</td></tr>
`;
  });
  const table = html`<table><caption>One load of each stack, summed over its connections</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col" class="text">Source</th><th scope="col">Connections</th><th scope="col">Largest congestion window</th><th scope="col">Most in flight</th><th scope="col">Least smoothed round trip, ms</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  return {
    id: 'windows',
    heading: 'Windows at the server',
    content: html`${figure({
      name: 'Congestion windows and bytes in flight',
      caption: html`<p>What servers might have in flight and had, over time. TCP’s is what the server’s kernel said (TCP_INFO); QUIC’s is estimated from packets, and its congestion window is not known.</p>`,
      chart: windowsChart(
        loads,
        `Congestion windows and bytes in flight over time: ${names}. The table below has the largest ones.`,
      ),
      data: table,
    })}${figure({
      name: 'Round trips',
      caption: html`<p>Smoothed round-trip times as the servers’ connections knew them, or as packets let them be estimated.</p>`,
      chart: roundTripsChart(loads, `Smoothed round-trip times over time: ${names}.`),
      data: table,
    })}`,
  };
}
