/**
 * Makes the recordings beside it again, of real connections over a path: `npx node record.ts`. Needs openssl, and what page
 * loads need.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { leafFiles, spkiPin } from '../../../../../../certs/leaf.ts';
import { withBrowser } from '../../../../../../runner/browser/chromium.ts';
