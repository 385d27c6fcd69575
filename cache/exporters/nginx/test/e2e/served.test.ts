import { testExportedServer } from '../../../../../test/e2e/exported-server.ts';
import { nginx } from '../../format.ts';

testExportedServer({
  exported: nginx,
  protocols: ['h2', 'http/1.1'],
  adds: ['server'],
  headLength: '12',
});
