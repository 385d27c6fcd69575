import type { CountedOfStack, PairComparer } from '../../ground/experiment.ts';
import type { PairwiseProperties } from '../../ground/records/like-for-like.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Exchange, PageLoadDetails } from './details.ts';

type PropertyOfPair = NonNullable<PairwiseProperties['requests']>;

/** Header fields of a response, and its status, by name. */
type Fields = ReadonlyMap<string, string>;

/** Name of the status among header fields, whose names cannot contain a colon. */
const STATUS = ':status';
const NO_RESPONSE = 'no response';

/** Fields whose values identify an instance or a response, or measure it: only their presence is compared. */
const PRESENCE_ALONE = /^(etag|age|server-timing|traceparent|tracestate|x-runtime)$|-(id|time)$/;

/** One set of exchanges by request, and the number of loads with this set. */
interface WeightedSet {
  requests: ReadonlyMap<string, Fields>;
  loads: number;
}

/** Compares requests and responses of two stacks; the sets of exchanges may be listed in any load of the run. */
export function exchangeComparer(run: readonly Observation[]): PairComparer {
  const lists = new Map(
    run.flatMap((load) => {
      const { exchangesSha256, exchanges } = detailsOf(load) ?? {};
      return exchangesSha256 && exchanges ? [[exchangesSha256, exchanges] as const] : [];
    }),
  );
  const parsed = new Map<string, WeightedSet['requests']>();
  const requestsOf = (sha256: string) => {
    const known = parsed.get(sha256);
    const list = lists.get(sha256);
    if (known || !list) return known;
    const requests = byRequest(list);
    parsed.set(sha256, requests);
    return requests;
  };
  const setsOf = ({ attempts }: CountedOfStack): WeightedSet[] => {
    const digests = attempts.flatMap((load) => detailsOf(load)?.exchangesSha256 ?? []);
    return [...Map.groupBy(digests, (digest) => digest)].flatMap(([digest, { length: loads }]) => {
      const requests = requestsOf(digest);
      return requests ? [{ requests, loads }] : [];
    });
  };
  return (a, b) => {
    const [ofA, ofB] = [setsOf(a), setsOf(b)];
    if (ofA.length === 0 || ofB.length === 0) return compareDigests(a, b);
    const names: Names = [a.name, b.name];
    const sides: Sides = [sideOf(ofA), sideOf(ofB)];
    return {
      requests: compareRequests(names, sides),
      responseHeaders: compareResponses(names, sides, sampleNote([a, b], sides)),
    };
  };
}

function detailsOf({ details }: Observation): PageLoadDetails | null {
  return details as PageLoadDetails | null;
}

/** Fields by request; a repeated request has the values of all its responses. */
function byRequest(exchanges: readonly Exchange[]): Map<string, Fields> {
  const groups = Map.groupBy(exchanges, ({ request }) => request);
  return new Map([...groups].map(([request, own]) => [request, fieldsOf(own)]));
}

function fieldsOf(exchanges: readonly Exchange[]): Fields {
  const pairs = exchanges.flatMap(({ status, fields }) => [
    [STATUS, status === null ? NO_RESPONSE : String(status)] as const,
    ...Object.entries(fields).map(
      ([name, value]) => [name, PRESENCE_ALONE.test(name) ? '' : value] as const,
    ),
  ]);
  return new Map(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, own]) => [
      name,
      [...new Set(own.map(([, value]) => value))].sort().join(' or '),
    ]),
  );
}

type Names = readonly [a: string, b: string];

/** The loads of one stack with one subject and condition. */
interface Side {
  sets: readonly WeightedSet[];
  nLoads: number;
  /** Request to the number of loads that sent it. */
  sent: ReadonlyMap<string, number>;
}

type Sides = readonly [a: Side, b: Side];

function sideOf(sets: readonly WeightedSet[]): Side {
  const sent = new Map<string, number>();
  for (const { requests, loads } of sets) {
    for (const request of requests.keys()) sent.set(request, (sent.get(request) ?? 0) + loads);
  }
  return { sets, nLoads: sum(sets.map(({ loads }) => loads)), sent };
}

function isUsual({ sent, nLoads }: Side, request: string): boolean {
  return 2 * (sent.get(request) ?? 0) > nLoads;
}

/** Whether at most one load in ten differs. */
const isException = (count: number, all: number) => 10 * count <= all;

/** Whether more than one load in ten sends a request, and more than one in ten does not. */
function isByChance({ sent, nLoads }: Side, request: string): boolean {
  const count = sent.get(request) ?? 0;
  return !isException(count, nLoads) && !isException(nLoads - count, nLoads);
}

function compareRequests(names: Names, sides: Sides): PropertyOfPair {
  const [a, b] = sides;
  const usualOfSide = (side: Side) =>
    new Set([...side.sent.keys()].filter((request) => isUsual(side, request)));
  const usual = [usualOfSide(a), usualOfSide(b)] as const;
  const only = sides.map((side, place) =>
    [...(usual[place] ?? [])]
      .filter((request) => !usual[1 - place]?.has(request))
      .filter((request) => !(isByChance(a, request) && isByChance(b, request)))
      .map((request) => {
        const other = sides[1 - place] ?? side;
        const count = other.sent.get(request) ?? 0;
        const most = `only ${names[place]}`;
        return {
          request,
          identity: identityOf(request, side),
          where:
            count === 0
              ? most
              : `${most} in most loads, ${names[1 - place]} in ${count} of ${other.nLoads}`,
        };
      }),
  );
  const unpaired = only.flatMap((own, place) => {
    const partners = only[1 - place]?.map(({ identity }) => identity) ?? [];
    return own.filter(({ identity }) => {
      const at = partners.indexOf(identity);
      if (at >= 0) partners.splice(at, 1);
      return at < 0;
    });
  });
  const groups = [...Map.groupBy(unpaired, ({ where }) => where)].map(
    ([where, own]) => `${urlsText(own.map(({ request }) => request))}: ${where}`,
  );
  return {
    verdict: groups.length === 0 ? 'equal' : 'differs',
    a: counted(usual[0].size, 'request'),
    b: counted(usual[1].size, 'request'),
    ...(groups.length > 0 && { difference: shortList(groups) }),
  };
}

/** A header field, or the status, of one request whose usual values differ. */
interface FieldDifference {
  name: string;
  request: string;
  /** Usual values of both stacks; null: the usual response lacks the field. */
  values: readonly [a: string | null, b: string | null];
}

/**
 * What stays of a request whose query has random numbers or times: its parameters, and the response. Which number a script
 * gets depends on which script runs first.
 */
function identityOf(request: string, side: Side): string {
  const [first] = responsesTo(request, side);
  return JSON.stringify([request.replaceAll(/=[^&]*/g, '='), ...(first?.fields ?? [])]);
}

function compareResponses(names: Names, sides: Sides, sample: string): PropertyOfPair {
  const shared = [...sides[0].sent.keys()].filter((request) =>
    sides.every((side) => isUsual(side, request)),
  );
  const varying = new Map<string, string[]>();
  const differing: FieldDifference[] = [];
  for (const request of shared) {
    const found = compareResponse(request, sides);
    for (const name of found.varying) varying.set(name, [...(varying.get(name) ?? []), request]);
    differing.push(...found.differing);
  }
  // Fields that vary at several requests probably differ by chance at the rest.
  const counting = differing.filter(
    ({ name }) => name === STATUS || (varying.get(name)?.length ?? 0) < 2,
  );
  const groups = [
    ...Map.groupBy(counting, ({ name, values }) => JSON.stringify([name, values])).values(),
  ].sort((a, b) => b.length - a.length);
  const responses = counted(shared.length, 'response');
  const valuesOf = (place: 0 | 1) =>
    groups.length === 0 ? responses : shortList(groups.map((group) => valueText(group, place)));
  return {
    verdict: groups.length === 0 ? 'equal' : 'differs',
    a: valuesOf(0),
    b: valuesOf(1),
    ...(groups.length > 0 && {
      difference: shortList(groups.map((group) => differenceText(group, names))),
    }),
    note: [sample, varyingNote(varying)].filter((text) => text !== '').join(' '),
  };
}

function compareResponse(
  request: string,
  sides: Sides,
): { varying: Set<string>; differing: FieldDifference[] } {
  const varying = new Set<string>();
  const differing: FieldDifference[] = [];
  const compareField = (name: string, [a, b]: readonly [WeightedFields[], WeightedFields[]]) => {
    const [usual, other] = [usualOf(a, name), usualOf(b, name)];
    if (usual.varies || other.varies) varying.add(name);
    else if (usual.value !== other.value) {
      differing.push({ name, request, values: [usual.value, other.value] });
    }
    return usual.value === other.value;
  };
  const all = [responsesTo(request, sides[0]), responsesTo(request, sides[1])] as const;
  if (!compareField(STATUS, all)) return { varying, differing };
  // Responses of another status have other fields.
  const alike = all.map((responses) => {
    const { value } = usualOf(responses, STATUS);
    return responses.filter(({ fields }) => fields.get(STATUS) === value);
  }) as [WeightedFields[], WeightedFields[]];
  const fieldNames = new Set(alike.flat().flatMap(({ fields }) => [...fields.keys()]));
  fieldNames.delete(STATUS);
  for (const name of fieldNames) compareField(name, alike);
  return { varying, differing };
}

interface WeightedFields {
  fields: Fields;
  loads: number;
}

function responsesTo(request: string, { sets }: Side): WeightedFields[] {
  return sets.flatMap(({ requests, loads }) => {
    const fields = requests.get(request);
    return fields ? [{ fields, loads }] : [];
  });
}

/** The most frequent value of a field; it varies if more than one load in ten has another value. */
function usualOf(responses: readonly WeightedFields[], name: string) {
  const values = [...Map.groupBy(responses, ({ fields }) => fields.get(name) ?? null)]
    .map(([value, own]) => ({ value, loads: sum(own.map(({ loads }) => loads)) }))
    .sort((a, b) => b.loads - a.loads);
  const all = sum(values.map(({ loads }) => loads));
  const [usual = { value: null, loads: 0 }] = values;
  return { value: usual.value, varies: !isException(all - usual.loads, all) };
}

function differenceText(group: readonly FieldDifference[], [nameA, nameB]: Names): string {
  const [first] = group;
  if (!first) return '';
  const [a, b] = first.values;
  const where = `${fieldText(first.name)} of ${urlsText(group.map(({ request }) => request))}`;
  if (a === null) return `${where}: only ${nameB}`;
  if (b === null) return `${where}: only ${nameA}`;
  return `${where}: ${excerpt(a, b)} against ${excerpt(b, a)}`;
}

function valueText([first]: readonly FieldDifference[], place: 0 | 1): string {
  if (!first) return '';
  const [own, other] = [first.values[place], first.values[1 - place] ?? ''];
  return `${fieldText(first.name)}: ${own === null ? 'absent' : excerpt(own, other)}`;
}

function varyingNote(varying: ReadonlyMap<string, readonly string[]>): string {
  const texts = [...varying].map(([name, requests]) =>
    requests.length === 1 ? `${fieldText(name)} of ${urlsText(requests)}` : fieldText(name),
  );
  if (texts.length === 0) return '';
  const one = texts.length === 1;
  return `${shortList(texts)} ${one ? 'varies between loads of one stack and is' : 'vary between loads of one stack and are'} not compared.`;
}

function sampleNote(stacks: readonly CountedOfStack[], sides: Sides): string {
  const parts = stacks.flatMap(({ name, attempts }, place) => {
    const nLoads = sides[place]?.nLoads ?? 0;
    return nLoads < attempts.length ? [`${nLoads} of ${attempts.length} loads of ${name}`] : [];
  });
  return parts.length === 0
    ? ''
    : `Compared: ${parts.join(' and ')}, whose exchanges are recorded.`;
}

function fieldText(name: string): string {
  return name === STATUS ? 'status' : name;
}

const MOST_URL_CHARACTERS = 120;

/** URLs of requests as text; omits GET. */
function urlsText([first = '', ...more]: readonly string[]): string {
  const url = shortened(first.replace(/^GET /, ''), 0, MOST_URL_CHARACTERS);
  return more.length === 0 ? url : `${url} and ${more.length} more`;
}

const MOST_VALUE_CHARACTERS = 60;

/** A quoted value; of a long one only the part around the first difference. */
function excerpt(value: string, other: string): string {
  const same = [...value].findIndex((letter, index) => letter !== other[index]);
  const start = value.length <= MOST_VALUE_CHARACTERS ? 0 : Math.max(0, same - 20);
  return `"${shortened(value, start, MOST_VALUE_CHARACTERS)}"`;
}

function shortened(text: string, start: number, most: number): string {
  const end = start + most;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
}

const MOST_LISTED = 3;

function shortList(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED;
  const shown = texts.slice(0, MOST_LISTED).join('; ');
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Compares loads without lists of exchanges, as before format 5.13, by digests, which do not show the difference. */
function compareDigests(a: CountedOfStack, b: CountedOfStack): PairwiseProperties {
  const stacks = [a, b];
  const sets = stacks.map(({ attempts }) =>
    attempts.map((load) => detailsOf(load)?.requestSetSha256 ?? null),
  );
  const headers = stacks.map(({ attempts }) =>
    attempts.map((load) => detailsOf(load)?.traffic?.responseHeadersSha256 ?? null),
  );
  return {
    // Older runs have no digest.
    ...(sets.flat().some((digest) => digest !== null) && { requests: byDigest(sets) }),
    responseHeaders: byDigest(headers),
  };
}

function byDigest(digests: readonly (readonly (string | null)[])[]): PropertyOfPair {
  const [a, b] = digests.map(usualDigest);
  if (!a || !b) return { verdict: 'unknown', a: null, b: null };
  const values = { a: 'not listed', b: 'not listed' };
  if (a === b) return { verdict: 'equal', ...values };
  return { verdict: 'differs', ...values, difference: 'not recorded in this older run' };
}

/** Digest of more than half of the loads; null: no such digest. */
function usualDigest(digests: readonly (string | null)[]): string | null {
  const found = [...Map.groupBy(digests, (digest) => digest)].find(
    ([, own]) => own.length * 2 > digests.length,
  );
  return found?.[0] ?? null;
}
