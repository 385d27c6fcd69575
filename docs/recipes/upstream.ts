import { serve } from '../../servers/bun/contract.ts';
import { httpProgram } from '../../servers/bun/http-server.ts';

const protocol = 'http/1.1';

await serve({ stack: 'upstream', protocol }, (settings) => httpProgram(protocol, settings));
