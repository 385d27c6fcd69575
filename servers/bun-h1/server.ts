import { serveHttp } from '../bun/http-server.ts';

await serveHttp('bun-h1', 'http/1.1');
