import { serveHttp } from '../bun/http-server.ts';

await serveHttp('bun-h2', 'h2');
