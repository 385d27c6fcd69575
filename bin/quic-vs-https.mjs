#!/usr/bin/env node
// The command of a clone, and of a package, which has all else in dist/.
import { existsSync } from 'node:fs';

const beside = new URL('./start.mjs', import.meta.url);
const built = new URL('../dist/bin/start.mjs', import.meta.url);
await import((existsSync(beside) ? beside : built).href);
