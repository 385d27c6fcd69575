import { serveHttp } from '../bun/http-server.ts';
import { bunH1 } from './stack.ts';

await serveHttp(bunH1);
