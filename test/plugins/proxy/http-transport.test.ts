/** The transports by HTTP: what every transport guarantees, over kept connections. */
import { closeServer, listen, originOf } from '../../../gateway/serve/http/listen.ts';
import { createHttpTransport, createKeptTransport } from '../../../plugins/proxy/http-transport.ts';
import type { Transport, TransportBounds } from '../../../plugins/proxy/transport.ts';
import { createServiceServer } from '../../../services/shared/http/create-service-server.ts';
import { transportContract } from '../../contract/transport.contract.ts';

const CLIENTS: Readonly<Record<string, (origin: string, bounds: TransportBounds) => Transport>> = {
  undici: (origin, bounds) => createHttpTransport(origin, null, bounds),
  "the gateway's own client": createKeptTransport,
};

for (const [client, create] of Object.entries(CLIENTS)) {
  describe(`the transport by HTTP, with ${client}`, () => {
    transportContract(async (app, bounds) => {
      const service = createServiceServer(65_536);
      service.serve(app);
      const origin = originOf(await listen(service.server, 0, '127.0.0.1'));
      const transport = create(origin, bounds);
      return {
        transport,
        async close() {
          await transport.destroy();
          await closeServer(service.server, 100);
        },
      };
    });
  });
}
