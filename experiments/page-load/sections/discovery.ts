import { offersBoth } from '../../../ground/records/protocol.ts';
import { html, type Markup, nameOf, scrollRegion } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { countText, countWithNoun, decimalText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { drawConditions } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { PageLoad, PageLoadDetails } from '../details.ts';

type Versions = NonNullable<PageLoadDetails['versions']>;

/** Versions of HTTP of loads from servers with two of them, and where loads switched. */
export const discovery: Section<RunView> = defineFoldedSection(
  'discovery',
  'How the browser came to HTTP/3',
  (view) => {
    const arms = choosingArms(view);
    return {
      about: countWithNoun(arms.length, 'stack that has HTTP/2 too', 'stacks that have HTTP/2 too'),
      content: html`<p>Only counted loads. A browser discovers HTTP/3 by a response header (Alt-Svc) or by the DNS (an HTTPS record), and lets both versions race while it
does not know whether QUIC works. A load switches when a request comes by HTTP/3 after one to the same host came by HTTP/2. Its HAR marks that request (<code>_changedOver</code>), and has the reason for the version of each request (<code>_alternateProtocolUsage</code>).</p>
${drawConditions(view, (condition) => tableOf(view, condition, arms))}`,
    };
  },
);

function choosingArms({ run, arms }: RunView): ShownArm[] {
  const choosing = new Set(
    run.arms.filter(({ protocol }) => offersBoth(protocol)).map(({ arm }) => arm),
  );
  return arms.filter(({ arm }) => choosing.has(arm));
}

function tableOf(
  view: RunView,
  { loads }: RunView['conditions'][number],
  arms: readonly ShownArm[],
): Markup {
  const shown = (loads as readonly PageLoad[]).filter(({ id }) => view.counted.has(id));
  const [, sites] = view.experiment.subject;
  const caption = 'Versions of HTTP of the loads';
  const subjects = [...new Set(shown.map(({ subject }) => subject))];
  return scrollRegion(
    caption,
    html`<table><caption>${caption}</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col" class="text">Site</th><th scope="col">Loads</th><th scope="col">Document by HTTP/3</th><th scope="col">Responses by HTTP/3</th><th scope="col">Loads that switched</th><th scope="col">At request (median)</th><th scope="col">After ms (median)</th></tr></thead>
<tbody>
${arms.map((arm) => {
  const own = shown.filter((load) => load.arm === arm.arm);
  return html`${subjects.length > 1 && row(arm, html`all ${sites}`, own)}${subjects.map((subject) =>
    row(
      arm,
      nameOf(subject),
      own.filter((load) => load.subject === subject),
    ),
  )}`;
})}</tbody></table>`,
  );
}

function row(arm: ShownArm, site: Markup, loads: readonly PageLoad[]): Markup {
  const versions = loads.flatMap(({ details }) => details?.versions ?? []);
  const changes = loads.flatMap(({ details }) => details?.changedOver ?? []);
  const documents = versions.filter(({ document }) => document !== null);
  const sum = (of: (each: Versions) => number) =>
    versions.reduce((total, each) => total + of(each), 0);
  const all = sum(({ responses }) => Object.values(responses).reduce((a, b) => a + b, 0));
  const byH3 = documents.filter(({ document }) => document === 'h3').length;
  return html`<tr><th scope="row">${stackLabel(arm)}</th><td class="text">${site}</td><td>${countText(loads.length)}</td><td>${shareText(byH3, documents.length)}</td><td>${shareText(
    sum(({ responses }) => responses.h3 ?? 0),
    all,
  )}</td><td>${shareText(changes.length, versions.length)}</td><td>${medianText(changes.map(({ request }) => request))}</td><td>${medianText(changes.map(({ atMs }) => atMs))}</td></tr>`;
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${decimalText((100 * part) / whole, 0)} % (${part} of ${whole})`;
}

function medianText(values: readonly number[]): string {
  const value = median(values);
  return value === null ? '–' : decimalText(value, 0);
}
