import { html } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { answerText, controlText, underCondition } from '../text/answers.ts';
import type { ReportView } from './view.ts';

/** A stack compared with itself: the rate of false alarms. */
export const control: Section<ReportView> = defineFoldedSection(
  'control',
  'Control',
  ({ summary }) => ({
    title: 'The control',
    about: 'a stack against itself',
    content: html`<p>A stack was run a second time under another name, in the same blocks. Any difference between the two is a false alarm,
so their number says how far the verdicts of this run can be trusted.</p>
${summary.controls.map(
  (each) => html`<p>${controlText(each, summary)}</p>
<ul>${each.primary.map((one) => html`<li>${underCondition(one, answerText(one, summary))}</li>`)}</ul>
`,
)}`,
  }),
);
