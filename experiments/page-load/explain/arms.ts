import type { ExplainedPair, PlannedExplanation } from '../../../ground/records/explanation.ts';
import type { ArmSettings, ExcludedStack, UnpinnedChoices } from '../../../ground/records/run.ts';
import {
  isOwnArm,
  nameInBrowser,
  type Stack,
  serverStackOf,
  splitBrowser,
} from '../../../ground/stack.ts';
import { urlOf } from '../../../servers/own-stack.ts';
import {
  alternativesOf,
  type Change,
  EXPLAINED_PROTOCOLS,
  INTERVENTIONS,
  type Intervention,
  type Side,
  type StackPair,
  withoutIntervention,
} from './interventions.ts';

/** Known delay of each response with which its cost is measured, in ms. */
const RESPONSE_DELAY_MS = 20;

interface ExplainedRun {
  /** Name of the usual baseline. */
  baseline: string;
  choices: UnpinnedChoices;
  /** Arms that cannot be measured here; their changes have no part. */
  excludedStacks: readonly ExcludedStack[];
}

/** The arms that divide the gain of each stack over the one that it is compared with. */
export function explanationsOf(
  stacks: readonly Stack[],
  { baseline, choices, excludedStacks }: ExplainedRun,
): { stacks: Stack[]; explanations: PlannedExplanation[] } {
  const further = new Map<string, Stack>();
  const explanations = stacks.flatMap((arm) => {
    const other = stacks.find(({ stack }) => stack === (arm.comparedWith ?? baseline));
    if (!other || other === arm || arm.controlOf !== undefined) return [];
    const pair = {
      arm,
      baseline: other,
      labels: { arm: arm.label, baseline: other.label },
      choices,
    };
    const arms = new FurtherArms(excludedStacks);
    const explanation = explain(pair, arms);
    for (const stack of arms.used) further.set(stack.stack, stack);
    return explanation;
  });
  return { stacks: [...further.values()], explanations };
}

function explain(pair: StackPair, arms: FurtherArms): PlannedExplanation {
  const names = namesOf(pair);
  if (![pair.arm, pair.baseline].every(({ protocol }) => EXPLAINED_PROTOCOLS.includes(protocol))) {
    return { ...names, steps: [], alternatives: [], unchanged: [OTHER_PROTOCOL] };
  }
  const steps: PlannedExplanation['steps'] = [];
  const unchanged: PlannedExplanation['unchanged'] = [];
  let current = pair;
  for (const intervention of INTERVENTIONS) {
    const { name, label, phrase, owner, after, change: find } = intervention;
    const change = find(current);
    if (change === null) continue;
    if ('reason' in change) {
      unchanged.push({ name, label, ...change });
      continue;
    }
    const together = arms.change(current, name, change);
    const alone = arms.change(pair, name, change);
    const problem = arms.problemOf(together) ?? arms.problemOf(alone);
    if (problem !== null) {
      unchanged.push({ name, label, isEqual: false, reason: problem });
      continue;
    }
    current = together;
    const before = steps.find((step) => step.name === after);
    const reversed = reverseOf(intervention, pair, arms);
    steps.push({
      name,
      label,
      phrase: change.phrase ?? phrase,
      owner,
      change: change.text,
      together: arms.use(together),
      alone: arms.use(alone),
      ...(before && { aloneAfter: before.alone }),
      ...(typeof reversed === 'string'
        ? { reverseReason: reversed }
        : { reverse: arms.use(reversed) }),
    });
  }
  const alternatives = alternativesOf(pair).flatMap(({ name, label, change }) => {
    const changed = arms.change(pair, name, change);
    const problem = arms.problemOf(changed);
    if (problem === null) return [{ name, label, change: change.text, with: arms.use(changed) }];
    unchanged.push({ name, label, isEqual: false, reason: problem });
    return [];
  });
  unchanged.push(...withoutIntervention(pair));
  const responseDelay = delayOf(pair, arms);
  if ('reason' in responseDelay) {
    unchanged.push({ ...RESPONSE, isEqual: false, reason: responseDelay.reason });
    return { ...names, steps, alternatives, unchanged };
  }
  return { ...names, steps, alternatives, unchanged, responseDelay };
}

/** The pair with the difference removed at the other stack; a string: why that is not possible, as a clause. */
function reverseOf(
  { name, reverse: find }: Intervention,
  pair: StackPair,
  arms: FurtherArms,
): StackPair | string {
  const reverse = find(pair);
  if (typeof reverse === 'string') return reverse;
  const reversed = arms.change(pair, `${name}-reverse`, reverse);
  const problem = arms.problemOf(reversed);
  return problem === null ? reversed : problem.replace(/^It/, 'it').replace(/\.$/, '');
}

const OTHER_PROTOCOL = {
  name: 'protocol',
  label: 'Protocol',
  isEqual: false,
  reason: `Only stacks that speak ${EXPLAINED_PROTOCOLS.join(' or ')} alone are compared setting by setting.`,
};

const RESPONSE = { name: 'response', label: 'Wait for the document’s first byte' };

function delayOf(
  pair: StackPair,
  arms: FurtherArms,
): NonNullable<PlannedExplanation['responseDelay']> | { reason: string } {
  if (urlOf(pair.arm) !== null) {
    return { reason: `${pair.labels.arm} was not started by the run, which cannot delay it.` };
  }
  const { responseDelayMs = 0 } = pair.arm.settings ?? {};
  const settings = { arm: { responseDelayMs: responseDelayMs + RESPONSE_DELAY_MS } };
  const delayed = arms.change(pair, 'delay', { settings });
  const problem = arms.problemOf(delayed);
  if (problem !== null) return { reason: problem };
  return { delayed: arms.use(delayed).arm, delayMs: RESPONSE_DELAY_MS };
}

function namesOf({ arm, baseline }: Record<Side, Stack>): ExplainedPair {
  return { arm: arm.stack, baseline: baseline.stack };
}

/** Arms in addition to those of the run. */
class FurtherArms {
  readonly used = new Set<Stack>();
  readonly #excluded: readonly ExcludedStack[];

  constructor(excluded: readonly ExcludedStack[]) {
    this.#excluded = excluded;
  }

  /** The pair after a change. */
  change(pair: StackPair, name: string, { settings }: Pick<Change, 'settings'>): StackPair {
    return {
      ...pair,
      arm: changed(pair.arm, name, settings.arm),
      baseline: changed(pair.baseline, name, settings.baseline),
    };
  }

  /** Why one of the two cannot be measured here, as a sentence; null: both can. */
  problemOf({ arm, baseline }: StackPair): string | null {
    const found = this.#excluded.find(({ stack }) =>
      [arm, baseline].some((each) => each.stack === stack),
    );
    return found ? `It could not be measured: ${found.reason}` : null;
  }

  /** Adds the changed stacks of a pair to the run; returns the pair's names. */
  use(pair: StackPair): ExplainedPair {
    for (const stack of [pair.arm, pair.baseline]) {
      if (!isOwnArm(stack)) this.used.add(stack);
    }
    return namesOf(pair);
  }
}

/** The stack under further settings, as an arm of its own. */
function changed(stack: Stack, change: string, settings: ArmSettings | undefined): Stack {
  if (settings === undefined) return stack;
  const [inUsual] = splitBrowser(stack.stack);
  const numbers = Object.values(settings).filter((value) => typeof value === 'number');
  const { tcpTwin: _, comparedWith: __, ...rest } = stack;
  return {
    ...rest,
    stack: nameInBrowser([inUsual, change, ...numbers].join('-'), stack.browser),
    label: `${stack.label}, ${change}`,
    serverStack: { ...stack.serverStack, stack: serverStackOf(stack) },
    settings: { ...stack.settings, ...settings },
    explains: stack.explains ?? stack.stack,
  };
}
