import { offersBoth } from '../../ground/records/protocol.ts';
import { bun } from '../../ground/runtimes/bun.ts';
import type { Stack } from '../../ground/stack.ts';
import { flaskH1 } from '../../servers/flask-h1/stack.ts';
import { STACKS } from '../../servers/index.ts';
import { STACKS_HERE } from './tested-stacks.ts';

/** HTTP/1.1 of the runtime of the default HTTP/2 and HTTP/3, or else the default HTTP/1.1. */
export const HTTP1: Stack =
  STACKS.find(({ protocol, runtime }) => protocol === 'http/1.1' && runtime === bun) ?? flaskH1;

const both = STACKS_HERE.find(({ protocol }) => offersBoth(protocol));

/** A stack with both versions of HTTP at one address. */
export const DUAL = both?.stack ?? 'none';

/** Why a test that needs it is skipped; false: it is there. */
export const LACKS_DUAL = both ? false : 'no stack here has both versions of HTTP at one address';
