import { certificates } from './certificates.mjs';
import { chromium } from './chromium.mjs';
import { network } from './network.mjs';
import { packages } from './packages.mjs';
import { python } from './python.mjs';
import { sites } from './sites.mjs';

/** Every step in its order; a step has a name, a title, isDone() and run(). */
export const steps = [packages, python, network, chromium, certificates, sites];
