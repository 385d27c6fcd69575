import { serveHttp } from '../bun/http-server.ts';
import { bunH2 } from './stack.ts';

await serveHttp(bunH2);
