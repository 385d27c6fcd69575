import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE_LOAD_METRICS } from '../../../../experiments/page-load/metrics.ts';
import type { PlannedExplanation } from '../../../../ground/records/explanation.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { divide } from '../../../../report/explanation/divide.ts';
import { divisionText } from '../../../../report/explanation/sentence.ts';
import type { Block } from '../../../../report/summary/blocks.ts';
import { seededPick } from '../../../../statistics/random.ts';

const [METRIC] = PAGE_LOAD_METRICS as [(typeof PAGE_LOAD_METRICS)[number]];

const step = (name: string, arm: string, alone = arm) => ({
  name,
  label: name,
  phrase: name,
  owner: 'setting' as const,
  change: '',
  together: { arm, baseline: 'tcp' },
  alone: { arm: alone, baseline: 'tcp' },
});

const EXPLANATION: PlannedExplanation = {
  arm: 'quic',
  baseline: 'tcp',
  steps: [step('handshake', 'held'), step('growth', 'held-counted', 'counted')],
  responseDelay: { delayed: 'delayed', delayMs: 20 },
  alternatives: [
    { name: 'other', label: 'other', change: '', with: { arm: 'quic', baseline: 'tcp-other' } },
  ],
  unchanged: [],
};

type Step = PlannedExplanation['steps'][number];

/** Page load times in ms: 30 by the handshake, 20 by the growth, 2 x 5 by the response, 6 by nothing known. */
const TIMES_MS: Readonly<Record<string, number>> = {
  quic: 200,
  held: 230,
  'held-counted': 250,
  counted: 223,
  delayed: 240,
  tcp: 266,
  'tcp-other': 300,
};

/** Waits for the first byte after the connection, in ms. */
const WAITS_MS: Readonly<Record<string, number>> = { tcp: 35 };

function blocksOf({
  count = 30,
  without = [] as string[],
  seed = 1,
  noiseMs = 8,
  waitsMs = WAITS_MS,
} = {}): Block[] {
  const pick = seededPick(seed);
  const noise = () => ((pick(1001) + pick(1001) + pick(1001)) / 1500 - 1) * noiseMs;
  return Array.from({ length: count }, (_, block) => {
    const shared = noise();
    const loads = Object.entries(TIMES_MS)
      .filter(([arm]) => !without.includes(arm))
      .map(([arm, timeMs]) => {
        const metrics = {
          pageLoadMs: timeMs + shared + noise(),
          firstByteMs: 40 + (waitsMs[arm] ?? 30) + noise() / 10,
          connectMs: 40,
        };
        const client = { id: `${arm}.${Math.floor(block / 3)}` };
        return [arm, { arm, id: `${block}`, invocation: '1', client, metrics }] as const;
      });
    return { loads: new Map<string, unknown>(loads) } as unknown as Block;
  });
}

const pageOf = (blocks: readonly Block[], subject = 'page') => ({ subject, blocks });

function holds(estimate: { low: number | null; high: number | null } | null, value: number) {
  return estimate !== null && (estimate.low ?? 0) <= value && value <= (estimate.high ?? 0);
}

test('parts and residual hold the truth and add up to the whole, whose own interval holds it too', () => {
  let right = 0;
  let wholeRight = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const { whole, parts, residual } = divide(EXPLANATION, [pageOf(blocksOf({ seed }))], METRIC);
    const sum = parts.reduce((total, { part }) => total + (part?.estimate ?? 0), 0);
    assert.ok(Math.abs((whole?.estimate ?? 0) - sum - (residual?.estimate ?? 0)) < 1e-9);
    const truth = [30, 20, 10].map((ms, index) => holds(parts[index]?.part ?? null, ms));
    if (truth.every(Boolean) && holds(residual, 6)) right++;
    if (holds(whole, 66)) wholeRight++;
  }
  assert.ok(right >= 37, `${right} of 40 divisions`);
  assert.ok(wholeRight >= 36, `${wholeRight} of 40 wholes`);
});

test('without the parts of settings, those of the protocol and the residual are left', () => {
  const [handshake, growth] = EXPLANATION.steps as [Step, Step];
  const steps = [{ ...handshake, owner: 'protocol' as const }, growth];
  let right = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const blocks = blocksOf({ seed });
    const { protocolAndResidual, parts, residual } = divide(
      { ...EXPLANATION, steps },
      [pageOf(blocks)],
      METRIC,
    );
    const sum = (parts[0]?.part?.estimate ?? 0) + (residual?.estimate ?? 0);
    assert.ok(Math.abs((protocolAndResidual?.estimate ?? 0) - sum) < 1e-9);
    if (holds(protocolAndResidual, 30 + 6)) right++;
  }
  assert.ok(right >= 36, `${right} of 40 divisions`);
  assert.equal(divide(EXPLANATION, [pageOf(blocksOf())], METRIC).protocolAndResidual, null);
  const without = blocksOf({ without: ['held'] });
  assert.equal(
    divide({ ...EXPLANATION, steps }, [pageOf(without)], METRIC).protocolAndResidual,
    null,
  );
});

test('the first change has no interaction, and the second has the difference of its two parts', () => {
  const { parts } = divide(EXPLANATION, [pageOf(blocksOf({ noiseMs: 0.01 }))], METRIC);
  assert.equal(parts[0]?.interaction, null);
  assert.ok(Math.abs((parts[1]?.interaction?.estimate ?? 0) - (20 - 23)) < 0.1);
});

test('a change that continues another one is alone without the effect of that one', () => {
  const [handshake, growth] = EXPLANATION.steps as [Step, Step];
  const continued = { ...growth, alone: growth.together, aloneAfter: handshake.alone };
  const { parts } = divide(
    { ...EXPLANATION, steps: [handshake, continued] },
    [pageOf(blocksOf({ noiseMs: 0.01 }))],
    METRIC,
  );
  assert.equal(Math.round(parts[1]?.alone?.estimate ?? 0), 20);
});

test('the part of a change whose loads failed is missing, and the next one contains it', () => {
  const blocks = blocksOf({ without: ['held'], noiseMs: 0.01 });
  const { whole, parts, residual } = divide(EXPLANATION, [pageOf(blocks)], METRIC);
  assert.deepEqual([parts[0]?.part, parts[0]?.nBlocks], [null, 0]);
  assert.match(parts[0]?.missing ?? '', /blocks/);
  assert.equal(Math.round(parts[1]?.part?.estimate ?? 0), 50);
  assert.deepEqual(parts[1]?.contains, ['handshake']);
  assert.match(textOf({ whole, parts, residual }), /50 are handshake and growth/);
  assert.equal(Math.round(whole?.estimate ?? 0), 66);
  assert.equal(Math.round(residual?.estimate ?? 0), 6);
});

test('a run of too few blocks has a sentence and no numbers', () => {
  const division = divide(EXPLANATION, [pageOf(blocksOf({ count: 5 }))], METRIC);
  assert.deepEqual([division.whole, division.residual], [null, null]);
  assert.match(textOf(division), /Too few blocks/);
});

test('parts of several pages are means', () => {
  const pages = [pageOf(blocksOf({ seed: 2 }), 'one'), pageOf(blocksOf({ seed: 3 }), 'two')];
  const both = divide(EXPLANATION, pages, METRIC);
  const each = pages.map((page) => divide(EXPLANATION, [page], METRIC));
  const mean = each.reduce((sum, { whole }) => sum + (whole?.estimate ?? 0), 0) / 2;
  assert.ok(Math.abs((both.whole?.estimate ?? 0) - mean) < 1e-9);
});

test('a part of all pages is missing if a page lacks its loads, and other settings name their pages', () => {
  const pages = [
    pageOf(blocksOf({ noiseMs: 0.01 }), 'one'),
    pageOf(blocksOf({ noiseMs: 0.01, without: ['held-counted', 'tcp-other'] }), 'two'),
  ];
  const { parts, residual, alternatives } = divide(EXPLANATION, pages, METRIC);
  assert.equal(parts[1]?.part, null);
  assert.equal(Math.round(residual?.estimate ?? 0), 66 - 30 - 10);
  assert.deepEqual([alternatives[0]?.nPages, alternatives[0]?.nBlocks], [1, 30]);
});

test('waits that a change of a server removes are in its part, and those that a setting makes are in no other', () => {
  const blocks = blocksOf({ noiseMs: 0.01, waitsMs: { ...WAITS_MS, 'held-counted': 33 } });
  const [handshake, growth] = EXPLANATION.steps as [Step, Step];
  const responseOf = (owner: Step['owner']) =>
    divide(
      { ...EXPLANATION, steps: [handshake, { ...growth, owner }] },
      [pageOf(blocks)],
      METRIC,
    ).parts.at(-1)?.part?.estimate ?? 0;
  assert.equal(Math.round(responseOf('setting')), 2 * 5);
  assert.equal(Math.round(responseOf('server')), 2 * 2);
});

test('a missing load does not split a group of blocks that share browsers', () => {
  const whole = blocksOf({ seed: 5 });
  const gappy = blocksOf({ seed: 5 });
  for (const [index, { loads }] of gappy.entries()) {
    if (index % 3 === 0) (loads as Map<string, Observation>).delete('counted');
  }
  const of = (blocks: readonly Block[]) => divide(EXPLANATION, [pageOf(blocks)], METRIC).whole;
  assert.deepEqual(of(gappy), of(whole));
});

test('another setting has its gain and its effect on it', () => {
  const { alternatives } = divide(EXPLANATION, [pageOf(blocksOf({ noiseMs: 0.01 }))], METRIC);
  assert.equal(Math.round(alternatives[0]?.gain?.estimate ?? 0), 100);
  assert.equal(Math.round(alternatives[0]?.effect?.estimate ?? 0), 34);
});

function textOf(division: Parameters<typeof divisionText>[0]): string {
  return divisionText(division, METRIC, { arms: [] }, EXPLANATION);
}

test('the sentence names decided parts, sums up the rest, and ends with what is unexplained', () => {
  const part = (phrase: string, estimate: number, low: number, high: number) => ({
    name: phrase,
    label: phrase,
    phrase,
    owner: 'setting' as const,
    change: '',
    nBlocks: 30,
    part: { estimate, low, high },
    alone: null,
    interaction: null,
    reverse: null,
  });
  const whole = { estimate: 66, low: 60, high: 72 };
  const residual = { estimate: 11, low: -4, high: 24 };
  const parts = [
    part('the saved round trip', 29, 20, 38),
    part('pacing', -1, -4, 3),
    part('growth', 27, 20, 33),
  ];
  assert.equal(
    textOf({ whole, parts, residual }),
    'quic is 66 ms faster than tcp (60 to 72). Of 66 ms, 29 are the saved round trip (20 to 38), 27 growth (20 to 33), −1 all further changes together, each undecided, 11 unexplained (−4 to 24).',
  );
  assert.match(
    textOf({ whole: { estimate: 4, low: -3, high: 11 }, parts, residual }),
    /undecided \(\+4 ms, −3 to \+11\)/,
  );
  assert.match(
    textOf({ whole: { estimate: -24, low: -30, high: -20 }, parts, residual }),
    /^quic is 24 ms slower than tcp \(20 to 30\). Gains \(\+\) and losses: \+29 /,
  );
});
