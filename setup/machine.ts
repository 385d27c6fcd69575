import { certificates } from './certificates.ts';
import { chromium } from './chromium.ts';
import { network } from './network.ts';
import { browsers, clients, stacks } from './on-demand.ts';
import { purposeOf, purposes } from './purposes.ts';
import { runtimes } from './runtimes.ts';
import { sites } from './sites.ts';
import { carryOut, carryOutEach, reported } from './step.mjs';
import { tshark } from './tshark.ts';

// Everything after the npm packages, in order. Arguments: names of additional clients, stacks, purposes and browsers, and of the command that follows.
await reported(async () => {
  const [ofClients = [], ofStacks = [], ofPurposes = [], ofBrowsers = [], commands = []] =
    process.argv.slice(2).map((names) => names.split(',').filter((name) => name !== ''));
  // Tests request a browser too.
  const requestedSteps = new Set([
    ...(await clients(ofClients)),
    ...(await stacks(ofStacks)),
    ...purposes([...ofPurposes, ...commands.flatMap(purposeOf)]),
    ...browsers(ofBrowsers),
  ]);
  // Last, so that their failures do not affect what every run needs.
  const steps = [...runtimes, network, chromium, certificates, sites, tshark];
  for (const step of steps) await carryOut(step);
  await carryOutEach([...requestedSteps]);
});
