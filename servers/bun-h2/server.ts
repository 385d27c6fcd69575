import { serve } from '../bun/contract.ts';
import { httpProgram } from '../bun/http-server.ts';
import { bunH2 } from './stack.ts';

await serve(bunH2, (settings) => httpProgram(bunH2.protocol, settings));
