import { serve } from '../bun/contract.ts';
import { httpProgram } from '../bun/http-server.ts';
import { orderedHttp2 } from '../bun/ordered-http2.ts';
import { bunH2 } from './stack.ts';

await serve(bunH2, (settings) =>
  settings.responseOrder ? orderedHttp2(settings) : httpProgram(bunH2.protocol, settings),
);
