import { testConnectingClient } from '../../../../test/e2e/connecting-client.ts';
import { clientFor } from '../../../index.ts';
import { curl } from '../../client.ts';

testConnectingClient(clientFor('connect', curl.name), {
  // Over QUIC libcurl shows no messages of the handshake.
  reportsQuic: false,
  refusals: {
    refuse: ['quic', 'closed'],
    other: ['quic', 'closed'],
    reject: ['http', 'REQUEST_REFUSED'],
  },
});
