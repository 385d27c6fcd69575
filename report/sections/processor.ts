import { decimalText, millisecondsText } from '../text/number.ts';
import type { Overview } from '../summary/overview.ts';
import type { ProcessorUse } from '../summary/use.ts';
import type { ReportView } from './view.ts';
import { html, type Markup } from '../page/markup.ts';
import { conditionTitle, scrolling, stackLabel } from '../page/name.ts';

/** What browser, server, link and benchmark took of the cores that they share, stack by stack under each condition. */
export function processor({ arms, summary }: ReportView): Markup {
  return html`<h3>What the processor had to do</h3>
<p>Browser, server, the link between them and the benchmark itself share the cores of one machine. <em>CPU pressure</em> is the share
of a load's time in which something waited for a core. Where two stacks met different pressure, part of the result may be due
to this machine, and their verdicts say so.</p>
${scrolling(
  'What the processor had to do',
  html`<table>
<caption>Medians of the sites’ medians, over the loads that count. A dash: not told.</caption>
<thead><tr><td></td><th scope="col">CPU pressure, %</th><th scope="col">Browser, ms</th><th scope="col">Server, ms</th><th scope="col">Link, ms</th><th scope="col">Benchmark, ms</th></tr></thead>
${summary.overview.map((overview) => conditionRows(overview, arms))}</table>`,
)}`;
}

function conditionRows(
  { network, conditionText, arms: known }: Overview,
  arms: ReportView['arms'],
): Markup {
  return html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="6">${conditionTitle({ network, text: conditionText })}</th></tr>
${arms.map((arm) => {
  const found = known.find((each) => each.arm === arm.arm);
  return (
    found &&
    html`<tr><th scope="row">${stackLabel(arm)}</th>${cells(found.processor)}</tr>
`
  );
})}</tbody>`;
}

function cells({
  cpuPressurePercent,
  clientCpuMs,
  serverCpuMs,
  linkCpuMs,
  runnerCpuMs,
}: ProcessorUse): Markup {
  const pressure = cpuPressurePercent === null ? '–' : decimalText(cpuPressurePercent, 0);
  return html`<td>${pressure}</td>${[clientCpuMs, serverCpuMs, linkCpuMs, runnerCpuMs].map(
    (ms) => html`<td>${millisecondsText(ms)}</td>`,
  )}`;
}
