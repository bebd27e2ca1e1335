/** The transport by HTTP: what every transport guarantees, over kept connections. */
import { closeServer, listen, originOf } from '../../../gateway/serve/http/listen.ts';
import { createHttpTransport } from '../../../plugins/proxy/http-transport.ts';
import { createServiceServer } from '../../../services/shared/http/create-service-server.ts';
import { transportContract } from '../../contract/transport.contract.ts';

describe('the transport by HTTP', () => {
  transportContract(async (app, bounds) => {
    const service = createServiceServer(65_536);
    service.serve(app);
    const origin = originOf(await listen(service.server, 0, '127.0.0.1'));
    const transport = createHttpTransport(origin, null, bounds);
    return {
      transport,
      async close() {
        await transport.destroy();
        await closeServer(service.server, 100);
      },
    };
  });
});
