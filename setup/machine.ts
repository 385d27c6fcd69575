import { certificates } from './certificates.ts';
import { chromium } from './chromium.ts';
import { clients } from './clients.ts';
import { network } from './network.ts';
import { runtimes } from './runtimes.ts';
import { sites } from './sites.ts';
import { carryOut, reported } from './step.mjs';
import { tshark } from './tshark.ts';

// Everything after the npm packages, in its order; the names of clients that are asked for come as arguments.
reported(() => {
  const asked = clients(process.argv.slice(2));
  const steps = [...runtimes, ...asked, network, chromium, certificates, sites, tshark];
  steps.forEach(carryOut);
});
