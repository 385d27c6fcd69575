import { html, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { table } from '../../../kit/page/table.ts';
import { countText, countWithNoun } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import type { RunView } from '../../run-view.ts';
import { UNRECORDED_REMEDY, unrecordedLoads } from '../unrecorded.ts';

/** Requests that the recordings lack, by page and stack. */
export const replay: Section<RunView> = defineFoldedSection(
  'replay',
  'Requests that the recording lacks',
  ({ run, arms, conditions }) => {
    const found = unrecordedLoads(
      conditions.flatMap(({ loads }) => loads),
      run,
    );
    const pages = new Set(found.map(({ subject }) => subject)).size;
    return {
      about: `404 in loads of ${countWithNoun(pages, 'site')}`,
      content: html`<p>The servers have only the recorded responses, and answer 404 to all other requests. Loads with such requests count, since pages may request something else in each load. Yet the page may lack an image or a script that visitors get. ${UNRECORDED_REMEDY}</p>
${table({
  label: 'Requests that the recording lacks',
  caption: 'Requests without a recorded response, by site and stack',
  columns: [
    ['Site', ({ subject }) => nameOf(subject), 'text'],
    [
      'Stack',
      (each) => {
        const arm = arms.find(({ arm }) => arm === each.arm);
        return arm ? stackLabel(arm) : each.arm;
      },
      'text',
    ],
    ['Loads', ({ loads }) => countText(loads)],
    ['with 404', ({ unrecorded }) => countText(unrecorded.length)],
    [
      '404 in a load (median)',
      ({ unrecorded }) => countText(median(unrecorded.map(({ requests }) => requests.length)) ?? 0),
    ],
    ['Requests of the load with most', ({ worst }) => listOf(worst.requests), 'text'],
  ],
  items: found,
})}`,
    };
  },
);

const MOST_LISTED = 10;

function listOf(requests: readonly string[]) {
  const more = requests.length - MOST_LISTED;
  return html`${requests.slice(0, MOST_LISTED).map((each, index) => html`${index > 0 && html`<br>`}${nameOf(each)}`)}${more > 0 && html`<br>and ${more} more`}`;
}
