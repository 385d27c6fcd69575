import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { madeFolder } from '../ground/system/folders.mjs';

// Before any further import: Node then caches modules compiled, types removed.
enableCompileCache(path.join(madeFolder, '.setup', 'compiled'));

const { program } = await import('./program.ts');
process.exitCode = await program(process.argv.slice(2));
