#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// First of all: caches compiled modules without their types.
enableCompileCache(path.join(import.meta.dirname, '..', '.setup', 'compiled'));

const { program } = await import('./program.ts');
process.exitCode = await program(process.argv.slice(2));
