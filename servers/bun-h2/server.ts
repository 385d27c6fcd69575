import { serve } from '../bun/contract.ts';
import { httpProgram } from '../bun/http-server.ts';
import { http2ByPriority } from '../bun/http2-by-priority.ts';
import { bunH2 } from './stack.ts';

await serve(bunH2, (settings) =>
  settings.byPriority ? http2ByPriority(settings) : httpProgram(bunH2.protocol, settings),
);
