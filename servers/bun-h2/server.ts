import { serve } from '../bun/contract.ts';
import { httpProgram } from '../bun/http-server.ts';
import { bunH2 } from './stack.ts';

await serve(bunH2, (asked) => httpProgram(bunH2.protocol, asked));
