import { offersBoth } from '../../../ground/records/protocol.ts';
import { html, type Insert, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { table } from '../../../kit/page/table.ts';
import { countText, countWithNoun, decimalText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { drawConditions } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { PageLoad } from '../details.ts';

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
  const subjects = [...new Set(shown.map(({ subject }) => subject))];
  const caption = 'Versions of HTTP of the loads';
  return table({
    label: caption,
    caption,
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ['Site', ({ site }) => site, 'text'],
      ['Loads', ({ loads: count }) => countText(count)],
      ['Document by HTTP/3', ({ documents }) => documents],
      ['Responses by HTTP/3', ({ responses }) => responses],
      ['Loads that switched', ({ switched }) => switched],
      ['At request (median)', ({ atRequest }) => atRequest],
      ['After ms (median)', ({ afterMs }) => afterMs],
    ],
    items: arms.flatMap((arm) => {
      const own = shown.filter((load) => load.arm === arm.arm);
      const bySubject = subjects.map((name) => {
        const loadsOf = own.filter(({ subject }) => subject === name);
        return rowOf(arm, nameOf(name), loadsOf);
      });
      return subjects.length > 1 ? [rowOf(arm, `all ${sites}`, own), ...bySubject] : bySubject;
    }),
  });
}

function rowOf(arm: ShownArm, site: Insert, loads: readonly PageLoad[]) {
  const versions = loads.flatMap(({ details }) => details?.versions ?? []);
  const changes = loads.flatMap(({ details }) => details?.changedOver ?? []);
  const documents = versions.flatMap(({ document }) => document ?? []);
  const responses = versions.flatMap((each) => Object.entries(each.responses));
  const sum = (counts: typeof responses) => counts.reduce((all, [, count]) => all + count, 0);
  const isH3 = (version: string) => version === 'h3';
  return {
    arm,
    site,
    loads: loads.length,
    documents: shareText(documents.filter(isH3).length, documents.length),
    responses: shareText(sum(responses.filter(([version]) => isH3(version))), sum(responses)),
    switched: shareText(changes.length, versions.length),
    atRequest: medianText(changes.map(({ request }) => request)),
    afterMs: medianText(changes.map(({ atMs }) => atMs)),
  };
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${decimalText((100 * part) / whole, 0)} % (${part} of ${whole})`;
}

function medianText(values: readonly number[]): string {
  const value = median(values);
  return value === null ? '–' : decimalText(value, 0);
}
