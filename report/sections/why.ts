import { html, type Insert, type Markup } from '../../kit/page/markup.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { withSign } from '../../kit/text/estimate.ts';
import { countWithNoun, decimalText, millisecondsText } from '../../kit/text/number.ts';
import { PARTS, type StackWhy } from './stack-why.ts';

export interface Why {
  name: string;
  /** In the order of the plan, without stacks whose loads have no phases. */
  arms: readonly StackWhy[];
  pairs: readonly { arm: string; baseline: string }[];
  /** Round-trip time as measured, in ms; null: not measured. */
  rttMs: number | null;
}

/** With shorter round trips, times in round trips would be large and meaningless. */
const LEAST_RTT_MS = 1;

/** Parts of the page load times, their differences, and what handshakes explain of them. */
export function whyTable(why: Why): Markup {
  const { name, arms, rttMs } = why;
  if (arms.length === 0) {
    return html`<p class="quiet">The parts of the times are not known: no load that counts has a HAR with phases.</p>`;
  }
  const pairs = pairsOf(why);
  const differenceText = (ms: number) =>
    html`${signedMsText(ms)}${
      rttMs !== null &&
      rttMs >= LEAST_RTT_MS &&
      html`<small>${withSign(ms / rttMs, (size) => size.toFixed(1))} RTT</small>`
    }`;
  const inMs = (trips: number, text: (ms: number) => string) =>
    rttMs === null ? '–' : text(trips * rttMs);
  const ofWaiting: Line[] = arms.some(({ beyondMs }) => beyondMs !== null)
    ? [[html`Of it beyond a round trip<small>${BEYOND}</small>`, ({ beyondMs }) => beyondMs]]
    : [];
  const ofLoad: Line[] = [
    ...PARTS.flatMap(({ name: part, label, definition }): Line[] => [
      [html`${label}<small>${definition}</small>`, ({ partsMs }) => partsMs[part]],
      ...(part === 'waiting' ? ofWaiting : []),
    ]),
    [html`<strong>Page load time</strong>`, ({ pageLoadMs }) => pageLoadMs],
  ];
  const ofDocument: Line[] = [
    ['Connecting for the document', ({ connectMs }) => connectMs],
    ['First byte of the document', ({ firstByteMs }) => firstByteMs],
    [
      html`The same by the model<small>round trips of handshake and request${rttMs !== null && `, at ${millisecondsText(rttMs)} ms`}</small>`,
      ({ roundTrips }) => roundTrips,
      (trips) => html`${inMs(trips, millisecondsText)}<small>${decimalText(trips, 1)} RTT</small>`,
      (trips) => html`${inMs(trips, signedMsText)}<small>${signedCountText(trips)} RTT</small>`,
    ],
    [
      'Connections',
      ({ connections }) => connections,
      (count) => decimalText(count, 1),
      signedCountText,
    ],
  ];
  return html`${table({
    label: `What the times of ${name} are made of`,
    class: 'why',
    caption: `What the page load time is made of: means in ms, because only means add up.${countsText(arms)} “Method” defines the parts. There are no intervals here: they
hint at causes and prove none.`,
    columns: [
      ['', ([heading]) => heading],
      ...arms.map(
        (arm): Column<Line> => [
          stackLabel(arm),
          ([, of, text = millisecondsText]) => textOrDash(of(arm), text),
        ],
      ),
      ...pairs.map(
        ([arm, base]): Column<Line> => [
          html`<bdi>${arm.label}</bdi> − <bdi>${base.label}</bdi>`,
          ([, of, , text = differenceText]) => textOrDash(difference(of(arm), of(base)), text),
          'edge',
        ],
      ),
    ],
    groups: [
      [null, ofLoad],
      [null, ofDocument],
    ],
  })}${
    pairs.length > 0 &&
    html`<ul>${pairs.map((pair) => html`<li>${explanation(pair, rttMs)}</li>`)}</ul>`
  }`;
}

/** What takes the time beyond a round trip. */
const BEYOND = 'the server, or queues and losses on the way';

/** Least part of the page load time beyond a round trip for a sentence about it. */
const NOTABLE_SHARE = 0.1;

type WhyPair = readonly [arm: StackWhy, base: StackWhy];

/** A row of the table, with texts of a stack's value and of a difference; absent: both are in ms. */
type Line = readonly [
  heading: Insert,
  of: (arm: StackWhy) => number | null,
  text?: (value: number) => Insert,
  differenceText?: (value: number) => Insert,
];

function textOrDash(value: number | null, textOf: (value: number) => Insert): Insert {
  return value === null ? '–' : textOf(value);
}

/** Pairs of stacks that both have loads with phases. */
function pairsOf({ arms, pairs }: Why): WhyPair[] {
  const named = (name: string) => arms.find(({ arm }) => arm === name);
  return pairs.flatMap((pair): WhyPair[] => {
    const [arm, base] = [named(pair.arm), named(pair.baseline)];
    return arm && base ? [[arm, base]] : [];
  });
}

/** One stack against another in a sentence or two: the largest part, and the share of the document's handshake. */
function explanation([arm, base]: WhyPair, rttMs: number | null): Markup {
  const totalMs = arm.pageLoadMs - base.pageLoadMs;
  const parts = PARTS.map(({ name, phrase }) => ({
    phrase,
    differenceMs: arm.partsMs[name] - base.partsMs[name],
  })).sort((a, b) => Math.sign(totalMs) * (b.differenceMs - a.differenceMs));
  const [largest] = parts;
  const trips = difference(arm.roundTrips, base.roundTrips);
  return html`<bdi>${arm.label}</bdi> took ${millisecondsText(Math.abs(totalMs))} ms ${totalMs < 0 ? 'less' : 'more'} than <bdi>${base.label}</bdi>${
    largest &&
    html`; what differs most in that direction is ${largest.phrase}, ${signedMsText(largest.differenceMs)} ms`
  }.${beyondText([arm, base])}${
    rttMs !== null &&
    rttMs >= LEAST_RTT_MS &&
    trips !== null &&
    (trips === 0
      ? ' By the model, both need the same number of round trips to the first byte of the document.'
      : ` By the model, the handshake on the way to the document alone makes ${signedMsText(trips * rttMs)} ms (${signedCountText(trips)} round ${Math.abs(trips) === 1 ? 'trip' : 'trips'}).`)
  }`;
}

/** The waiting beyond a round trip where it is a notable part of a load; empty: not notable, or not known. */
function beyondText([arm, base]: WhyPair): Insert {
  const isNotable = [arm, base].some(
    ({ beyondMs, pageLoadMs }) => (beyondMs ?? 0) >= NOTABLE_SHARE * pageLoadMs,
  );
  if (!isNotable || arm.beyondMs === null || base.beyondMs === null) return '';
  return html` Beyond a round trip of each request, <bdi>${arm.label}</bdi> waited for ${millisecondsText(arm.beyondMs)} ms and <bdi>${base.label}</bdi> for ${millisecondsText(base.beyondMs)} ms: ${BEYOND}.`;
}

/** Number of loads behind each mean, and of those that lack phases. */
function countsText(arms: readonly StackWhy[]): string {
  const counts = new Set(arms.map(({ n }) => n));
  const missing = arms.reduce((sum, { nMissing }) => sum + nMissing, 0);
  const over =
    counts.size === 1
      ? ` Over ${countWithNoun(arms[0]?.n ?? 0, 'load')} of each stack.`
      : ` Over ${arms.map(({ label, n }) => `${countWithNoun(n, 'load')} of ${label}`).join(', ')}.`;
  return missing === 0
    ? over
    : `${over} ${countWithNoun(missing, 'load')} more ${missing === 1 ? 'counts' : 'count'}, but ${missing === 1 ? 'its HAR does' : 'their HARs do'} not have phases.`;
}

function difference(value: number | null, base: number | null): number | null {
  return value === null || base === null ? null : value - base;
}

function signedMsText(value: number): string {
  return withSign(value, millisecondsText);
}

function signedCountText(value: number): string {
  return withSign(value, (size) => decimalText(size, 1));
}

export const whyStyle = `
.why tbody + tbody { border-top: 2px solid var(--line); }
.why tbody th { white-space: normal; max-width: 18rem; }
.why small { white-space: nowrap; }
`;
