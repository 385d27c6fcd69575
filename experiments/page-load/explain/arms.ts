import type {
  ExplainedPair,
  ExplanationStep,
  PlannedExplanation,
} from '../../../ground/records/explanation.ts';
import { isOverQuic } from '../../../ground/records/protocol.ts';
import type { ArmSettings, UnpinnedChoices } from '../../../ground/records/run.ts';
import { nameInBrowser, type Stack, serverStackOf, splitBrowser } from '../../../ground/stack.ts';
import { urlOf } from '../../../servers/own-stack.ts';
import {
  type Alternative,
  alternativesOf,
  type Change,
  EXPLAINED_PROTOCOLS,
  INTERVENTIONS,
  type Side,
  type StackPair,
  WITHOUT_INTERVENTION,
} from './interventions.ts';

/** Known delay of each response with which its cost is measured, in ms. */
const RESPONSE_DELAY_MS = 20;

interface Explanations {
  /** Arms in addition to those of the run. */
  stacks: Stack[];
  explanations: PlannedExplanation[];
}

/** The arms that divide the gain of each stack over the one that it is compared with. */
export function explanationsOf(
  stacks: readonly Stack[],
  { baseline, choices }: { baseline: string; choices: UnpinnedChoices },
): Explanations {
  const made = new Map<string, Stack>();
  const explanations = stacks.flatMap((arm) => {
    const other = stacks.find(({ stack }) => stack === (arm.comparedWith ?? baseline));
    if (!other || other === arm || arm.controlOf !== undefined) return [];
    const labels = { arm: arm.label, baseline: other.label };
    return explain({ arm, baseline: other, labels, choices }, made);
  });
  return { stacks: [...made.values()], explanations };
}

/** @param made receives the new arms, by name */
function explain(pair: StackPair, made: Map<string, Stack>): PlannedExplanation[] {
  const sides = [pair.arm, pair.baseline];
  const names = { arm: pair.arm.stack, baseline: pair.baseline.stack };
  if (!sides.every(({ protocol }) => EXPLAINED_PROTOCOLS.includes(protocol))) {
    return [
      {
        ...names,
        steps: [],
        alternatives: [],
        unchanged: [
          {
            name: 'protocol',
            label: 'Protocol',
            isEqual: false,
            reason: `Only stacks that speak ${EXPLAINED_PROTOCOLS.join(' or ')} alone are compared setting by setting.`,
          },
        ],
      },
    ];
  }
  const changeOf = (from: StackPair, name: string, change: Change): StackPair => ({
    ...from,
    arm: changed(from.arm, name, change.settings.arm, made),
    baseline: changed(from.baseline, name, change.settings.baseline, made),
  });
  const steps: ExplanationStep[] = [];
  const unchanged: PlannedExplanation['unchanged'] = [];
  let current = pair;
  for (const { name, label, phrase, change: find, reverse: findReverse } of INTERVENTIONS) {
    const change = find(current);
    if ('reason' in change) {
      unchanged.push({ name, label, ...change });
      continue;
    }
    current = changeOf(current, name, change);
    const reverse = findReverse(pair);
    steps.push({
      name,
      label,
      phrase,
      change: change.text,
      together: namesOf(current),
      alone: namesOf(changeOf(pair, name, change)),
      ...(typeof reverse === 'string'
        ? { reverseReason: reverse }
        : { reverse: namesOf(changeOf(pair, `${name}-reverse`, reverse)) }),
    });
  }
  const alternatives = alternativesOf(pair).map(({ name, label, change }: Alternative) => ({
    name,
    label,
    change: change.text,
    with: namesOf(changeOf(pair, name, change)),
  }));
  if (isOverQuic(pair.arm.protocol) !== isOverQuic(pair.baseline.protocol)) {
    unchanged.push(...WITHOUT_INTERVENTION);
  }
  const delayMs = RESPONSE_DELAY_MS + (pair.arm.settings?.responseDelayMs ?? 0);
  const isDelayed = urlOf(pair.arm) === null;
  if (!isDelayed) {
    unchanged.push({
      name: 'response-delay',
      label: 'Time of the document’s response',
      isEqual: false,
      reason: `${pair.arm.label} was not started by the run, which cannot delay it.`,
    });
  }
  return [
    {
      ...names,
      steps,
      alternatives,
      unchanged,
      ...(isDelayed && {
        responseDelay: {
          delayed: changed(pair.arm, 'delay', { responseDelayMs: delayMs }, made).stack,
          delayMs: RESPONSE_DELAY_MS,
        },
      }),
    },
  ];
}

function namesOf({ arm, baseline }: Record<Side, Stack>): ExplainedPair {
  return { arm: arm.stack, baseline: baseline.stack };
}

/** The stack under further settings, as an arm of its own. */
function changed(
  stack: Stack,
  change: string,
  settings: ArmSettings | undefined,
  made: Map<string, Stack>,
): Stack {
  if (settings === undefined) return stack;
  const [inUsual] = splitBrowser(stack.stack);
  const numbers = Object.values(settings).filter((value) => typeof value === 'number');
  const name = nameInBrowser([inUsual, change, ...numbers].join('-'), stack.browser);
  const found = made.get(name);
  if (found) return found;
  const { tcpTwin: _, comparedWith: __, ...rest } = stack;
  const arm: Stack = {
    ...rest,
    stack: name,
    label: `${stack.label}, ${change}`,
    serverStack: { ...stack.serverStack, stack: serverStackOf(stack) },
    settings: { ...stack.settings, ...settings },
    explains: stack.explains ?? stack.stack,
  };
  made.set(name, arm);
  return arm;
}
