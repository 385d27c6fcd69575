import { PACKAGE_PAGES } from '../../cache/packages/package-pages.ts';
import { readShapes } from '../../cache/shapes/shapes.ts';
import { conditionName } from '../../experiments/condition.ts';
import { shardOfText } from '../../ground/records/shard.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { ratioText, ratioWithInterval } from '../../kit/text/estimate.ts';
import { bytesText, countText, countWithNoun, momentText } from '../../kit/text/number.ts';
import type { PrimaryAnswer } from '../../report/summary/comparison.ts';
import {
  answerText,
  type ComparedCondition,
  type ComparedPair,
  conditionsOf,
  metricOf,
  pagesOf,
  pairsOf,
} from './answers.ts';
import { pagesOfRule, sizeOf } from './pages.ts';
import { BASE, DIVIDED, PARTS } from './parts.ts';
import type { PartResult } from './result.ts';
import { sensitivityText } from './sensitivity.ts';
import { millisecondsOf, ratioRange, shortAnswer, table } from './tables.ts';

/** All answers, with what they rest on. */
export function researchersText(results: readonly PartResult[]): string {
  const base = results.filter(({ part }) => BASE.includes(part));
  const further = results.filter(({ part }) => !BASE.includes(part) && part !== DIVIDED);
  const missing = PARTS.filter(({ name }) => !results.some(({ part }) => part === name));
  return [
    ...(results.length > 0 && missing.length > 0
      ? [`**Not measured yet:** ${missing.map(({ title }) => title).join('; ')}.`]
      : []),
    ...(base.length > 0
      ? ['![The answers of the base: ratios with their intervals](figures/base.svg)']
      : []),
    ...base.map((result) => `## ${titleOf(result)}\n\n${partText(result)}`),
    ...base.map(pageTables),
    ...(further.length > 0 ? ['## One thing at a time'] : []),
    ...further.map((result) => `### ${titleOf(result)}\n\n${partText(result)}`),
    ...(results.length > 0
      ? [sensitivityText(results), exclusionsText(results), madeText(results)]
      : []),
    pagesText(base[0]),
  ].join('\n\n');
}

function titleOf({ part }: PartResult): string {
  return PARTS.find(({ name }) => name === part)?.title ?? part;
}

/** A part's question and answers: a row for each condition, a column for each pair of stacks. */
function partText(result: PartResult): string {
  const metric = metricOf(result);
  const pairs = pairsOf(result);
  const rows = conditionsOf(result).map((condition) => [
    condition.text === condition.name ? condition.name : `${condition.name}: ${condition.text}`,
    ...pairs.map((pair) => {
      const answer = answerOf(condition, pair);
      return answer
        ? [shortAnswer(answer, metric), ...otherNumbers(result, answer)].join('<br>')
        : '–';
    }),
  ]);
  const question = PARTS.find(({ name }) => name === result.part)?.question ?? '';
  const { answers, paints, changes } = result;
  const ofConditions = conditionsOf(result).flatMap(({ name, network, variant }) =>
    [...answers, ...paints]
      .filter((each) => each.network === network && each.variant === variant)
      .flatMap((each) => each.notes.map((note) => `- ${name}: ${note}`)),
  );
  const ofChanges = changes.flatMap(({ to, notes }) =>
    notes.map((note) => `- ${to.text}: ${note}`),
  );
  // Answers about page load times and paints have some notes in common.
  const notes = [...new Set([...ofConditions, ...ofChanges])];
  return [
    `${question} ${capitalize(metric.phrase)}; below each answer descriptive numbers: the same in ms, and the least and the greatest ratio of a page${result.answers.some(({ pagesLikeThese }) => pagesLikeThese) ? '; where the ratio of one more page would be, if these were a random sample (95 %)' : ''}.`,
    table(['network and visit', ...pairs.map(({ title }) => title)], rows),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
}

function answerOf(
  { answers }: ComparedCondition,
  { arm, baseline }: ComparedPair,
): PrimaryAnswer | undefined {
  return answers.find((each) => each.arm === arm && each.baseline === baseline);
}

function otherNumbers(result: PartResult, answer: PrimaryAnswer): string[] {
  const ms = millisecondsOf(answer);
  const ratios = pagesOf(result, answer).flatMap(({ ratio }) => ratio?.estimate ?? []);
  const more = answer.pagesLikeThese?.ofOneMore;
  return [
    ...(ms === null ? [] : [ms]),
    `pages ${ratioRange(ratios)}`,
    ...(more ? [`one more ${ratioText(more.low)} to ${ratioText(more.high)}`] : []),
  ];
}

/** The ratio of every page under every condition, with its own interval. */
function pageTables(result: PartResult): string {
  const conditions = conditionsOf(result);
  const ofPair = (pair: ComparedPair) => {
    const columns = conditions.map((condition) => {
      const answer = answerOf(condition, pair);
      return answer ? pagesOf(result, answer) : [];
    });
    const rows = result.subjects.map(({ subject }) => [
      subject,
      ...columns.map((pages) => {
        const { ratio = null } = pages.find((page) => page.subject === subject) ?? {};
        return ratio ? ratioWithInterval(ratio) : '–';
      }),
    ]);
    return `${pair.title}:\n\n${table(['page', ...conditions.map(({ name }) => name)], rows)}`;
  };
  return `### ${titleOf(result)}: page by page\n\nDescriptive: ratios with 95 % intervals, each by itself. Some of these many intervals miss the truth.\n\n${pairsOf(result).map(ofPair).join('\n\n')}`;
}

/** Loads that failed or were excluded, by stack, and answers that excluded loads could change. */
function exclusionsText(results: readonly PartResult[]): string {
  const rows = results.flatMap((result) => {
    const { loads, arms, reasons } = result;
    const codes = reasons
      .filter(({ count }) => count > 0)
      .map(({ code, count }) => `${code} ${count}`)
      .join(', ');
    const rowsOfArms = arms.map(({ arm, label }, index) => {
      const own = loads.filter((each) => each.arm === arm);
      const sum = (field: 'nPlanned' | 'nOk' | 'nFailed' | 'nInvalid') =>
        countText(own.reduce((total, each) => total + each[field], 0));
      return [
        index === 0 ? titleOf(result) : '',
        label,
        sum('nPlanned'),
        sum('nOk'),
        sum('nFailed'),
        sum('nInvalid'),
        index === 0 ? codes : '',
      ];
    });
    const { nOk, nFailed, nInvalid } = result.further;
    const numbers = [nOk + nFailed + nInvalid, nOk, nFailed, nInvalid].map(countText);
    return nOk === 0 ? rowsOfArms : [...rowsOfArms, ['', 'further stacks', ...numbers, '']];
  });
  const answers = results
    .filter(({ part }) => part !== DIVIDED)
    .flatMap((result) => result.answers.map((answer) => ({ result, answer })));
  const lopsided = answers.filter(({ answer }) => answer.exclusions?.warning);
  const changed = answers.filter(
    ({ answer }) => answer.exclusions && answer.exclusions.asSlowest.verdict !== answer.verdict,
  );
  const nameOf = ({ result, answer }: (typeof answers)[number]) =>
    `${titleOf(result)}, ${conditionName({ network: { name: answer.network }, variant: answer.variant })}, ${answer.arm} (${answerText(answer.exclusions?.asSlowest, metricOf(result))})`;
  const list = (found: typeof answers) =>
    found.length === 0 ? '0' : `${found.length}: ${found.map(nameOf).join('; ')}`;
  return `## Loads that were not ok\n\nFailures by server or page, also of invalid loads, count as slower than all that end ([which](../../docs/explanation/validity.md#exclusions)); other loads are excluded. Of ${countText(answers.length)} answers about page load times, those with lopsided exclusions: ${list(lopsided)}. Those with another verdict if each excluded load counts as slowest: ${list(changed)}.\n\n${table(['part', 'stack', 'loads', 'ok', 'failed', 'invalid', 'why, all stacks together'], rows)}`;
}

/** Machine, programs, plans and sittings. */
function madeText(results: readonly PartResult[]): string {
  const [{ versions } = { versions: {} }] = results;
  const programs = Object.entries(versions).map(([program, version]) => `- ${program} ${version}`);
  const sittings = Map.groupBy(
    results.flatMap((result) => result.sittings),
    ({ sitting }) => sitting,
  );
  const rows = [...sittings].map(([sitting, own]) => {
    const start = own.map(({ startedAt }) => startedAt).toSorted()[0] as string;
    // An interrupted sitting has stood still in between.
    const minutes = Math.ceil(
      own.reduce((sum, each) => sum + minutesBetween(each.startedAt, each.lastLoadAt), 0),
    );
    return {
      start,
      minutes,
      cells: [
        String(shardOfText(sitting)?.index ?? sitting),
        momentText(start),
        String(minutes),
        countText(own.reduce((sum, { nLoads }) => sum + nLoads, 0)),
        machineText(own[0]?.host ?? null),
      ],
    };
  });
  const nLoads = results
    .flatMap(({ sittings: own }) => own)
    .reduce((sum, each) => sum + each.nLoads, 0);
  const minutes = rows.reduce((sum, each) => sum + each.minutes, 0);
  const disturbed = results.reduce((sum, each) => sum + each.disturbedLoads, 0);
  const plans = results.map(
    ({ part, plannedAt, planSha256, repetitions }) =>
      `- ${part}: plan \`${planSha256.slice(0, 12)}\`, frozen ${momentText(plannedAt)}, ${repetitions} repetitions`,
  );
  return `## Machine, sittings and plans\n\n${programs.join('\n')}\n\n${countWithNoun(nLoads, 'load')} in ${countWithNoun(minutes, 'minute')}, warm-ups and calibrations included in the time. Also counted: those made while the machine was not quiet, ${countText(disturbed)}.\n\n${table(
    ['sitting', 'begin', 'minutes', 'loads', 'machine'],
    rows.toSorted((a, b) => (a.start < b.start ? -1 : 1)).map(({ cells }) => cells),
  )}\n\n${plans.join('\n')}`;
}

function machineText(host: PartResult['sittings'][number]['host']): string {
  return host ? `${host.cores} cores of ${host.cpu}, ${host.os}, Linux ${host.kernel}` : '–';
}

function minutesBetween(start: string, end: string): number {
  return (Date.parse(end) - Date.parse(start)) / 60_000;
}

/** The pages with the numbers that the rule uses, and the measured ones with their served bytes. */
function pagesText(base: PartResult | undefined): string {
  const { real, quarters } = pagesOfRule();
  const shapes = readShapes();
  const servedText = (site: string) => {
    const planned = base?.subjects.find(({ subject }) => subject === site);
    return planned?.wireBytes ? bytesText(planned.wireBytes) : '';
  };
  const rowOf = (site: string, chosenAs: string) => {
    const shape = shapes.find((each) => each.site === site);
    if (!shape) throw new Error(`no shape of ${site}`);
    const { hosts, wireBytes } = sizeOf(shape);
    const resources = countText(shape.objects.length);
    return [site, chosenAs, bytesText(wireBytes), servedText(site), resources, String(hosts)];
  };
  const realRows = PACKAGE_PAGES.filter(({ site }) => real.includes(site)).map(
    ({ site, what, parts }) => [
      site,
      `demonstration: ${what} of ${parts[0]?.package} ${parts[0]?.version}`,
      '',
      servedText(site),
      countText(parts.flatMap(({ files }) => files).length),
      '1',
    ],
  );
  const generated = quarters.flatMap(({ fewHosts, manyHosts }, index) => [
    rowOf(fewHosts, `quarter ${index + 1} of sizes, fewer hosts`),
    rowOf(manyHosts, `quarter ${index + 1} of sizes, more hosts`),
  ]);
  return `## The pages\n\n${table(
    ['page', 'chosen as', 'published in 2018', 'served here', 'resources', 'hosts'],
    [...realRows, ...generated],
  )}`;
}
