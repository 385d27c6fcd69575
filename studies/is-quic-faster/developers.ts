import { estimateText, ratioText, ratioWithInterval, withSign } from '../../kit/text/estimate.ts';
import { verdictWord } from '../../kit/text/verdict.ts';
import type { ExplanationResult } from '../../report/explanation/schema.ts';
import { geometricMeanRatio } from '../../statistics/geometric-mean-ratio.ts';
import { metricOf, pairsOf } from './answers.ts';
import { COMPARED_CONDITIONS, DIVIDED } from './parts.ts';
import type { PartResult } from './result.ts';
import {
  answerTable,
  baseRows,
  type ConditionRow,
  NETWORK_WORDS,
  ratioRange,
  rowsOfPart,
  serverName,
  table,
  withLegend,
} from './tables.ts';

/** The answers for people who build servers. */
export function developersText(results: readonly PartResult[]): string {
  const named = (part: string) => results.find((result) => result.part === part);
  const [divided, overtaking] = [named(DIVIDED), named(COMPARED_CONDITIONS)];
  const plain = (part: string) => rowsOfPart(results, part, ({ text }) => text);
  const settings = answerTable('what differs', [
    ...plain('as-installed').map((row) => renamed(row, 'Linux’ windows')),
    ...plain('rates'),
    ...plain('aioquic').map((row) => renamed(row, 'aioquic')),
  ]);
  return [
    ...(divided ? [divisionText(divided)] : []),
    `## Other settings\n\n${withLegend(settings)}`,
    ...(overtaking ? [overtakingText(overtaking, plain(COMPARED_CONDITIONS))] : []),
    costText(baseRows(results)),
  ].join('\n\n');
}

function renamed(row: ConditionRow, what: string): ConditionRow {
  return { ...row, words: `${what}: ${row.words}` };
}

/** Parts of the gain of each server, in ms. */
function divisionText(divided: PartResult): string {
  const ofProtocols = pairsOf(divided).filter(({ isOfProtocols }) => isOfProtocols);
  const of = divided.divisions.filter(
    ({ subject, arm }) => subject === null && ofProtocols.some((pair) => pair.arm === arm),
  );
  const sections = [...Map.groupBy(of, ({ network }) => network)].map(([network, divisions]) => {
    const labels = [
      ...new Map(
        divisions.flatMap(({ parts }) => parts.map(({ label, owner }) => [label, owner] as const)),
      ),
    ];
    const rows = [
      ['**whole gain**', '', ...divisions.map(({ whole }) => gainText(whole))],
      ...labels.map(([label, owner]) => [
        label,
        owner,
        ...divisions.map(({ parts }) =>
          gainText(parts.find((each) => each.label === label)?.part ?? null),
        ),
      ]),
      ['unexplained', '', ...divisions.map(({ residual }) => gainText(residual))],
      [
        '**protocol and unexplained**',
        '',
        ...divisions.map(({ protocolAndResidual }) => gainText(protocolAndResidual)),
      ],
      ...alternatives(divisions),
    ];
    const servers = divisions.map(({ arm }) => serverName(divided, arm));
    return `Visitors ${NETWORK_WORDS[network]}, gains in ms:\n\n${table(['part', 'whose', ...servers], rows)}`;
  });
  const pages = divided.subjects.map(({ subject }) => subject).join(' and ');
  return `## Whose gain it is\n\nMeans of ${pages}, with [their intervals](../../docs/whose-gain.md#how-it-is-divided). –: alike in both, or not measured. Negative: without this difference the gain would be larger. The intervals of the parts and of *unexplained* hold together for one server over one network, each other one by itself. Where that of the whole gain holds 0, no gain is decided, so do not read its parts.\n\n${sections.join('\n\n')}`;
}

/** The whole gain under other settings. */
function alternatives(divisions: readonly ExplanationResult[]): string[][] {
  const labels = new Set(divisions.flatMap((each) => each.alternatives.map(({ label }) => label)));
  return [...labels].map((label) => [
    `whole gain, ${label}`,
    '',
    ...divisions.map((each) =>
      gainText(each.alternatives.find((one) => one.label === label)?.gain ?? null),
    ),
  ]);
}

function gainText(gain: ExplanationResult['whole']): string {
  return (
    estimateText(gain, (value) => withSign(value, (size) => size.toFixed(0)).replace('+', '')) ??
    '–'
  );
}

function overtakingText(result: PartResult, rows: readonly ConditionRow[]): string {
  const changes = result.changes.map(({ arm, ratio, verdict }) => [
    result.arms.find((each) => each.arm === arm)?.label ?? arm,
    ratio ? ratioWithInterval(ratio) : '–',
    verdict === 'undecided' ? verdict : verdictWord(verdict, metricOf(result)),
  ]);
  return `## Packets that overtake each other\n\n${withLegend(answerTable('network', rows))}\n\nHow many times as long each stack takes with overtaking as without:\n\n${table(['stack', 'ratio', ''], changes)}`;
}

/** Processor time of the servers' programs over HTTP/3, as a ratio to HTTP/2. */
function costText(rows: readonly ConditionRow[]): string {
  const cells = answerTable('network', rows, (answer, { result }) => {
    if (!answer) return '–';
    const ratios = serverCpuRatios(result, answer);
    const pooled = geometricMeanRatio(ratios.map((ratio) => [Math.log(ratio)]));
    return pooled ? `${ratioText(pooled.ratio)} (${ratioRange(ratios)})` : '–';
  });
  return `## Processor time of servers\n\nProcessor time of the server’s program for a page, HTTP/3 divided by HTTP/2: geometric mean over the pages, and their range. What the kernel does when packets arrive may not be part of it, and TCP has more of that. Descriptive, without intervals.\n\n${cells}`;
}

function serverCpuRatios(
  result: PartResult,
  {
    network,
    variant,
    arm,
    baseline,
  }: { network: string; variant: string; arm: string; baseline: string },
): number[] {
  const taken = (subject: string, stack: string) =>
    result.loads.find(
      (each) =>
        each.subject === subject &&
        each.arm === stack &&
        each.network === network &&
        each.variant === variant,
    )?.serverCpuMs;
  return result.subjects.flatMap(({ subject }) => {
    const [own, other] = [taken(subject, arm), taken(subject, baseline)];
    return own && other ? [own / other] : [];
  });
}
