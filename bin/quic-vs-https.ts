#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Before anything else is loaded: what was compiled once, and stripped of its types, need not be again.
enableCompileCache(path.join(import.meta.dirname, '..', '.setup', 'compiled'));

const { program } = await import('./program.ts');
process.exitCode = await program(process.argv.slice(2));
