import { existsSync } from 'node:fs';

/*
 * The server of a stack, which fails for some sites: `bun faulty-server.ts STACK PROGRAM
 * ARGUMENTS...`. A folder SITE.STACK next to that of a site is served in its place; with a file
 * SITE.STACK.none, the server does not start.
 */
const [stack = '', program = ''] = process.argv.splice(2, 2);
const at = process.argv.indexOf('--site') + 1;
const own = `${process.argv[at]}.${stack}`;
if (existsSync(`${own}.none`)) throw new Error('this site is not for me');
if (existsSync(own)) process.argv[at] = own;
await import(program);
