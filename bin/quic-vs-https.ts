#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Before any project import: Node then caches modules compiled, types removed.
enableCompileCache(path.join(import.meta.dirname, '..', '.setup', 'compiled'));

const { program } = await import('./program.ts');
process.exitCode = await program(process.argv.slice(2));
