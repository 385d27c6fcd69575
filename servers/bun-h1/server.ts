import { serve } from '../bun/contract.ts';
import { httpProgram } from '../bun/http-server.ts';
import { bunH1 } from './stack.ts';

await serve(bunH1, (settings) => httpProgram(bunH1.protocol, settings));
