import { testExportedServer } from '../../../../../test/e2e/exported-server.ts';
import { caddy } from '../../format.ts';

testExportedServer({
  exported: caddy,
  protocols: ['h3', 'h2', 'h2+h3', 'http/1.1'],
  adds: [],
  headLength: '12',
});
