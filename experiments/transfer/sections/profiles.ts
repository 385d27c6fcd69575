import { variantOf } from '../../../ground/records/factors.ts';
import { flameChart } from '../../../kit/charts/flame-chart.ts';
import { plotFigure } from '../../../kit/charts/plot-figure.ts';
import { overTime } from '../../../kit/charts/xy-chart.ts';
import { figure, legend } from '../../../kit/page/figure.ts';
import { fileHref } from '../../../kit/page/links.ts';
import { html, type Insert, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, foldedPart, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { table } from '../../../kit/page/table.ts';
import { countText, decimalText, millisecondsText } from '../../../kit/text/number.ts';
import { mean } from '../../../statistics/mean.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import {
  PROFILED_ENDS,
  PROFILES,
  type Profile,
  type ProfileKind,
  type SystemCall,
} from '../profiles/profile.ts';
import { type Condition, type Size, sizesOf, type Transfer } from './transfers.ts';

/** The file has all. */
const MOST_CALLS = 10;
const MOST_STACKS = 10;

const KIND_TEXTS: Readonly<Record<ProfileKind, string>> = {
  cpu: 'processor over time',
  syscalls: 'system calls',
  flame: 'flame graphs',
};

export const profiles: Section<RunView> = {
  isShown: hasAny(profiledSizes),
  ...defineFoldedSection('profiles', 'Profiles', (view) => ({
    about: 'processor over time, system calls, flame graphs',
    content: html`<p>Each profile comes from one more transfer after a warm-up, which does not count: profiling slows a program down, strace several times if it calls the kernel for every packet.
Compare profiles with each other, not with the times of other transfers. The folder <code>profiles</code> of the run has them in full.</p>
${drawConditions(view, (condition, name) => profiledSizes(view, condition).map((size) => sizePart(view, size, name)))}`,
  })),
};

/** A profile with its warm-up. */
interface ShownProfile {
  arm: ShownArm;
  transfer: Transfer;
  profile: Profile;
}

/** Sizes of the warm-ups with profiles. */
function profiledSizes(view: RunView, { network, variant }: Condition): Size[] {
  const profiled = (view.observations as readonly Transfer[]).filter(
    ({ details, network: own, factors }) =>
      (details?.profiles ?? []).length > 0 &&
      own.name === network.name &&
      variantOf(factors) === variant,
  );
  return sizesOf(profiled);
}

function sizePart(view: RunView, size: Size, name: string): Markup {
  const all = view.arms.flatMap((arm): ShownProfile[] => {
    const [transfer] = size.transfers.get(arm.arm) ?? [];
    const found = transfer?.details?.profiles ?? [];
    return transfer ? found.map((profile) => ({ arm, transfer, profile })) : [];
  });
  const of = (kind: ProfileKind) => all.filter(({ profile }) => profile.kind === kind);
  return foldedPart({
    title: nameOf(size.subject),
    about: PROFILES.filter((kind) => of(kind).length > 0)
      .map((kind) => KIND_TEXTS[kind])
      .join(', '),
    content: html`${processorFigure(of('cpu'), size.subject, name)}${callsTable(of('syscalls'), size, name)}${of('flame').map((each) => flameFigure(each, size.subject, name))}`,
  });
}

/** `the server`, with a link to the full profile. */
function endText({ profile: { kind, end }, transfer }: ShownProfile): Insert {
  const href = fileHref(transfer.files[`${kind}-${end}`] ?? '', ['profiles']);
  return href === null ? `the ${end}` : html`<a href="${href}">the ${end}</a>`;
}

function processorFigure(profiled: readonly ShownProfile[], subject: string, name: string) {
  if (profiled.length === 0) return null;
  return plotFigure({
    name: `processor over time, ${subject}, ${name}`,
    caption: html`<h4>Processor over time</h4>`,
    panels: PROFILED_ENDS.map((end) =>
      overTime(
        profiled
          .filter(({ profile }) => profile.end === end)
          .map(({ arm, profile: { steps = [] } }) => ({
            arm,
            points: steps.map(({ atMs, percent }) => ({ x: atMs, y: percent })),
          })),
        { label: `The ${end}, % of one core` },
      ),
    ),
    data: table({
      caption: html`Means over the time of the profile, in percent of one core, <bdi>${subject}</bdi>, <bdi>${name}</bdi>`,
      columns: [
        ['Stack', ({ arm }) => stackLabel(arm)],
        ['End', endText, 'text'],
        ['All threads', ({ profile }) => meanText(profile, 'percent')],
        ['The busiest thread', ({ profile }) => meanText(profile, 'busiestThreadPercent')],
        ['Transfer, ms', ({ profile }) => millisecondsText(profile.totalMs)],
      ],
      items: profiled,
    }),
  });
}

function meanText({ steps = [] }: Profile, of: 'percent' | 'busiestThreadPercent'): string {
  return decimalText(mean(steps.map((step) => step[of])) ?? 0, 1);
}

function callsTable(
  profiled: readonly ShownProfile[],
  { subject, bytes }: { subject: string; bytes: number },
  name: string,
): Markup | null {
  if (profiled.length === 0) return null;
  const ratio = (part: number, whole: number, decimals: number) =>
    whole === 0 ? '–' : decimalText(part / whole, decimals);
  return table({
    label: `System calls, ${subject}, ${name}`,
    caption: html`System calls of <bdi>${subject}</bdi>, <bdi>${name}</bdi>: the ${MOST_CALLS} with most time of each end, as strace counts them; time is the kernel’s processor time in them`,
    columns: [
      ['System call', (call) => call.name],
      ['Calls', ({ calls }) => countText(calls)],
      ['Errors', ({ errors }) => countText(errors)],
      ['Calls per MB', ({ calls }) => ratio(1e6 * calls, bytes, 1)],
      ['Time, ms', ({ cpuMs }) => millisecondsText(cpuMs)],
      ['µs per call', ({ calls, cpuMs }) => ratio(1000 * cpuMs, calls, 1)],
      ['ns per byte', ({ cpuMs }) => ratio(1e6 * cpuMs, bytes, 2)],
    ],
    groups: profiled.map((each) => {
      const { calls = [], totalMs } = each.profile;
      return [
        html`${stackLabel(each.arm)}, ${endText(each)} <span class="quiet">transferred in ${millisecondsText(totalMs)} ms</span>`,
        [...calls.slice(0, MOST_CALLS), sumOf(calls)],
      ];
    }),
  });
}

function sumOf(calls: readonly SystemCall[]): SystemCall {
  const sum = (of: (call: SystemCall) => number) => calls.reduce((all, call) => all + of(call), 0);
  return {
    name: `all ${calls.length}`,
    calls: sum((call) => call.calls),
    errors: sum(({ errors }) => errors),
    cpuMs: sum(({ cpuMs }) => cpuMs),
  };
}

function flameFigure(each: ShownProfile, subject: string, name: string): Markup {
  const { arm, profile } = each;
  const { end, stacks = [], hz } = profile;
  const samples = stacks.reduce((sum, stack) => sum + stack.samples, 0);
  const title = html`<h4>${stackLabel(arm)}, ${endText(each)}: flame graph</h4>`;
  if (samples === 0)
    return html`${title}<p class="quiet">It took too little processor time for a single sample.</p>`;
  return figure({
    name: `flame graph of the ${end}, ${arm.label}, ${subject}, ${name}`,
    caption: html`${title}
<p>${countText(samples)} samples, ${hz} in a second of processor time; transferred in ${millisecondsText(profile.totalMs)} ms. The width of a frame is its share of the samples; below it is its caller. In brackets: a program without function names.</p>`,
    legend: legend([
      html`<span class="swatch stack-1" aria-hidden="true"></span>programs and libraries`,
      html`<span class="swatch stack-2" aria-hidden="true"></span>kernel`,
    ]),
    chart: flameChart(
      stacks,
      `Flame graph of the ${end} with ${arm.label}, ${subject}, ${name}: ${countText(samples)} samples. The table below has the most frequent stacks.`,
    ),
    data: table({
      caption: html`The ${MOST_STACKS} most frequent stacks; all of them are in the file of ${endText(each)}, which speedscope and flamegraph.pl read`,
      columns: [
        [
          'From the outermost frame to the one that ran',
          ({ frames }) => frames.join(' › '),
          'wrap',
        ],
        ['Share', (stack) => `${decimalText((100 * stack.samples) / samples, 1)} %`],
        ['Samples', (stack) => countText(stack.samples)],
      ],
      items: stacks.slice(0, MOST_STACKS),
    }),
  });
}
