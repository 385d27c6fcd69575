import { serve } from '../bun/contract.ts';
import { http3Program } from './http3.ts';
import { lsquicH3 } from './stack.ts';

await serve(lsquicH3, http3Program);
