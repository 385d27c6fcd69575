import { testConnectingClient } from '../../../../test/e2e/connecting-client.ts';
import { clientFor } from '../../../index.ts';
import { aioquic } from '../../client.ts';

testConnectingClient(clientFor('connect', aioquic.name), {
  reportsQuic: true,
  refusals: {
    refuse: ['quic', 'CONNECTION_REFUSED'],
    other: ['tls', 'no_application_protocol'],
    reject: ['http', 'H3_REQUEST_REJECTED'],
  },
});
