import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { AND } from '../../kit/text/sentences.ts';
import { shorten } from '../../kit/text/terminal.ts';
import { isNotFavicon } from './checks/requests.ts';
import type { PageLoad, PageLoadDetails } from './details.ts';

/** Requests of a load that its recording lacks. */
interface UnrecordedRequests {
  /** Method and URL. Servers respond with 404. */
  requests: readonly string[];
  /** Number of all requests that reached a server. */
  total: number;
}

/** null: the recording has all requests, or the run serves only main documents. */
export function unrecordedRequests(
  details: Pick<PageLoadDetails, 'replay'> | null,
  { subResources }: Pick<RunRecord['choices'], 'subResources'>,
): UnrecordedRequests | null {
  if (!details?.replay || subResources === 'missing') return null;
  const { exact, byQuery, unknown } = details.replay;
  const requests = unknown.filter(isNotFavicon);
  if (requests.length === 0) return null;
  return { requests, total: exact + byQuery.length + unknown.length };
}

/** `7 of 30 requests got 404, because the recording lacks them: https://a.test/x and 6 more`. */
export function unrecordedText({ requests, total }: UnrecordedRequests): string {
  const [first = ''] = requests;
  const more = requests.length - 1;
  return `${requests.length} of ${countWithNoun(total, 'request')} got 404, because the recording lacks ${more === 0 ? 'it' : 'them'}: ${shorten(first.replace(/^GET /, ''), MOST_CHARACTERS)}${more > 0 ? ` and ${more} more` : ''}`;
}

const MOST_CHARACTERS = 100;

export const UNRECORDED_REMEDY =
  'Record the page again. Requests whose URLs change in each load stay unrecorded.';

/** Counted and uncounted loads of one page from one stack. */
interface UnrecordedLoads {
  subject: string;
  arm: string;
  /** Number of loads with a HAR. */
  loads: number;
  /** Of the loads with such requests; not empty. */
  unrecorded: readonly UnrecordedRequests[];
  /** The load with the largest number of them. */
  worst: UnrecordedRequests;
}

/** The pages and stacks with unrecorded requests, in the order of the loads. */
export function unrecordedLoads(
  loads: readonly Observation[],
  { choices }: Pick<RunRecord, 'choices'>,
): UnrecordedLoads[] {
  const known = (loads as readonly PageLoad[]).filter(({ details }) => details?.replay);
  const groups = Map.groupBy(known, ({ subject, arm }) => JSON.stringify([subject, arm]));
  return [...groups.values()].flatMap((own) => {
    const unrecorded = own.flatMap(({ details }) => unrecordedRequests(details, choices) ?? []);
    const worst = worstOf(unrecorded);
    const [first] = own;
    if (!worst || !first) return [];
    const { subject, arm } = first;
    return [{ subject, arm, loads: own.length, unrecorded, worst }];
  });
}

function worstOf(loads: readonly UnrecordedRequests[]): UnrecordedRequests | undefined {
  return loads.toSorted((a, b) => b.requests.length - a.requests.length)[0];
}

/** Caveats of verdicts on pages with requests that their recordings lack, one sentence for each page. */
export function unrecordedCautions(
  loads: readonly Observation[],
  run: Pick<RunRecord, 'arms' | 'choices'>,
): string[] {
  const pages = Map.groupBy(unrecordedLoads(loads, run), ({ subject }) => subject);
  return [...pages].map(([subject, own]) => {
    const worst = worstOf(own.map((each) => each.worst));
    const sum = (numberOf: (each: UnrecordedLoads) => number) =>
      own.reduce((total, each) => total + numberOf(each), 0);
    const labels = run.arms.filter(({ arm }) => own.some((each) => each.arm === arm));
    const only =
      labels.length === run.arms.length
        ? ''
        : ` by ${AND.format(labels.map(({ label }) => label))}`;
    return `In ${sum(({ unrecorded }) => unrecorded.length)} of ${countWithNoun(
      sum((each) => each.loads),
      'load',
    )} of ${subject}${only}, requests differed from the recording. In the worst, ${worst && unrecordedText(worst)}. ${UNRECORDED_REMEDY}`;
  });
}
