import { serve } from '../bun/contract.ts';
import { httpProgram } from '../bun/http-server.ts';
import { http3Program } from '../lsquic-h3/http3.ts';
import { bunDual } from './stack.ts';

await serve(bunDual, (settings) => {
  const http2 = httpProgram('h2', settings);
  const http3 = http3Program(settings);
  return {
    ...http3,
    async details(origins) {
      const [overTcp, overQuic] = [await http2.details(origins), await http3.details(origins)];
      return { ...overQuic, library: `${overTcp.library}, ${overQuic.library}` };
    },
    async listen(listener, answer) {
      const port = await http2.listen(listener, answer);
      return http3.listen({ ...listener, port }, answer);
    },
  };
});
