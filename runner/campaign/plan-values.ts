import { armOf, clientOfArms, stackOfArm } from '../../experiments/arms.ts';
import { allExperiments, experimentOf, verdictMetric } from '../../experiments/index.ts';
import type { Slice } from '../../experiments/planning.ts';
import type { Experiment } from '../../ground/experiment.ts';
import { optionsOfRun } from '../../ground/options/common.ts';
import { isLive, LIVE_NETWORK, networkKey } from '../../ground/records/network.ts';
import { ownChoices } from '../../ground/records/own-choices.ts';
import {
  type ArmSettings,
  COMMON_CHOICES,
  type PlannedArm,
  type PlanRecord,
} from '../../ground/records/run.ts';
import { shortJson } from '../../ground/records/schema-check.ts';
import { type Stack, serverNameOf, splitBrowser } from '../../ground/stack.ts';
import { STACKS } from '../../servers/index.ts';
import { isOwnName, protocolOfName } from '../../servers/own-stack.ts';
import { problemOfBrowsers } from '../browsers.ts';
import { originOf } from '../own-stacks.ts';

/**
 * The first value of a plan that options cannot produce, or null. Checks what the plan's schema cannot express.
 * @throws DamagedRunError for an unknown experiment or metric, UsageError for an unknown stack
 */
export function problemOfValues(plan: PlanRecord): string | null {
  const experiment = experimentOf(plan);
  verdictMetric(plan);
  return (
    problemOfFactors(plan, experiment) ??
    problemOfNetworks(plan) ??
    problemOfArms(plan, experiment) ??
    problemOfBrowsers(plan, experiment) ??
    problemOfOwnChoices(plan, experiment)
  );
}

function problemOfFactors(plan: PlanRecord, { factors }: Experiment): string | null {
  for (const [name, values] of Object.entries(plan.factors)) {
    const known = Object.hasOwn(factors, name) ? Object.keys(factors[name] ?? {}) : [];
    const wrong = values.find((value) => !known.includes(value));
    if (wrong !== undefined)
      return `factors.${name} has ${shortJson(wrong)}, expected ${some(known)}`;
  }
  return null;
}

/** Choices of another experiment show that the plan was edited by hand. */
function problemOfOwnChoices(plan: PlanRecord, { name, choices, planning }: Slice): string | null {
  const choiceNames = Object.keys(plan.choices).filter(
    (each) => !COMMON_CHOICES.includes(each) && each !== choices?.name && plan.choices[each],
  );
  const foreign =
    choiceNames.length > 0 &&
    allExperiments().find((each) => each.choices && choiceNames.includes(each.choices.name));
  if (foreign) return `choices.${foreign.choices?.name} is there, and the experiment is ${name}`;
  if (choices) ownChoices(plan, choices);
  return planning?.problem?.(plan) ?? null;
}

function problemOfNetworks({ networks }: PlanRecord): string | null {
  if (networks.length === 0) return 'networks is [], expected at least one';
  const live = networks.findIndex(isLive);
  if (live === -1) return null;
  const isLiveAlone = networks.length === 1 && networkKey(networks[0] ?? LIVE_NETWORK) === LIVE_KEY;
  return isLiveAlone ? null : `networks[${live}] is the machine's own, expected it alone`;
}

const LIVE_KEY = networkKey(LIVE_NETWORK);

function problemOfArms({ arms }: PlanRecord, experiment: Experiment): string | null {
  const { clients = [experiment.client] } = experiment;
  const hasBrowsers = Object.hasOwn(optionsOfRun(experiment), 'browser');
  const shared = clientOfArms(arms, experiment);
  if (!clients.includes(shared)) {
    return `the client is ${shortJson(shared)}, expected ${some(clients)}`;
  }
  for (const [index, arm] of arms.entries()) {
    const place = `arms[${index}]`;
    const [, browser] = splitBrowser(arm.arm);
    if (browser === shared) {
      return `${place}.arm is ${shortJson(arm.arm)}, expected it without the usual browser`;
    }
    const expected = (hasBrowsers ? browser : null) ?? shared;
    if (arm.client !== expected) {
      return `${place}.client is ${shortJson(arm.client)}, expected ${expected}`;
    }
    const wrong = problemOfOwn(arm) ?? problemOfStack(arm) ?? problemOfServerSettings(arm);
    if (wrong !== null) return `${place}.${wrong}`;
  }
  return null;
}

/** The name of a user's own server ends with its protocol. */
function problemOfOwn({ stack, protocol, own }: PlannedArm): string | null {
  if (!own) return null;
  const { url, program } = own;
  if ((url === undefined) === (program === undefined)) {
    return 'own has not one of url and program, expected one';
  }
  if (STACKS.some((each) => each.stack === stack)) {
    return `stack is ${shortJson(stack)}, which belongs to this project, and own is another server`;
  }
  if (!isOwnName(serverNameOf(stack))) {
    return `stack is ${shortJson(stack)}, expected small letters, digits and single hyphens`;
  }
  if (protocolOfName(stack) !== protocol) {
    return `protocol is ${shortJson(protocol)}, which the name ${shortJson(stack)} does not say`;
  }
  if (url !== undefined && originOf(url, `${stack}=${url}`) !== url) {
    return `own.url is ${shortJson(url)}, expected https://HOST or https://HOST:PORT`;
  }
  return null;
}

/** A planned stack must match what this version derives from its name. */
function problemOfStack(arm: PlannedArm): string | null {
  const made = armOf(stackOfArm(arm), arm);
  for (const field of ['arm', 'label', 'protocol', 'stack', 'transport', 'controlOf'] as const) {
    if (made[field] !== arm[field]) {
      return `${field} is ${shortJson(arm[field])}, expected ${shortJson(made[field])}`;
    }
  }
  return null;
}

/** Settings that a server gets at its start, and only some can have. */
function problemOfServerSettings(arm: PlannedArm): string | null {
  const { runtime, own, selectableOrder } = stackOfArm(arm);
  const isStarted = runtime !== undefined || (own !== undefined && 'program' in own);
  for (const { responseDelayMs, responseOrder } of settingsOfArm(arm)) {
    if (responseDelayMs !== undefined && !isStarted) {
      return `settings.responseDelayMs is ${responseDelayMs}, which needs a server that the run starts, and ${arm.stack} runs already`;
    }
    if (responseOrder !== undefined && !canOrder(selectableOrder, responseOrder)) {
      const able = STACKS.filter((each) => canOrder(each.selectableOrder, responseOrder)).map(
        ({ stack }) => stack,
      );
      return `settings.responseOrder is ${shortJson(responseOrder)}, which ${arm.stack} does not take; it is for ${able.join(', ')}`;
    }
  }
  return null;
}

function canOrder(
  selectable: Stack['selectableOrder'],
  order: NonNullable<ArmSettings['responseOrder']>,
): boolean {
  return order === 'by priority' ? selectable !== undefined : Boolean(selectable?.library);
}

function settingsOfArm({ settings, under = {} }: PlannedArm): ArmSettings[] {
  return [...(settings ? [settings] : []), ...Object.values(under)];
}

function some(known: readonly string[]): string {
  return known.length === 0 ? 'none' : `one of ${known.join(', ')}`;
}
