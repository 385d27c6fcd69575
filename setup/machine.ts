import { certificates } from './certificates.ts';
import { chromium } from './chromium.ts';
import { network } from './network.ts';
import { runtimes } from './runtimes.ts';
import { sites } from './sites.ts';
import { carryOut, reported } from './step.mjs';
import { tshark } from './tshark.ts';

// Everything after the npm packages, in its order.
reported(() => [...runtimes, network, chromium, certificates, sites, tshark].forEach(carryOut));
