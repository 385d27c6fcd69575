#!/usr/bin/env node
// The command of a clone, and of a package, which has all else in dist/.
import { existsSync } from 'node:fs';

const inClone = new URL('./start.mjs', import.meta.url);
const inPackage = new URL('../dist/bin/start.mjs', import.meta.url);
await import((existsSync(inClone) ? inClone : inPackage).href);
