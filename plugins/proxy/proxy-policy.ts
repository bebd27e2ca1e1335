/** Sends an admitted request to its service, or to the backend that an earlier policy chose in its place. */
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { proxyParams } from './proxy-params.ts';
import { createSendToBackend } from './send-to-backend.ts';
import { noWebSockets, WebSockets, webSocketFaults } from './web-sockets.ts';

export const proxyPolicy = defineGatewayPolicy({
  name: 'proxy',
  schema: proxyParams,
  check: ({ webSocket, serviceEndpoint }, place) =>
    webSocket === undefined ? [] : webSocketFaults(serviceEndpoint, place),
  create({ serviceEndpoint, webSocket, ...settings }, runtime) {
    const webSockets = webSocket === undefined ? null : new WebSockets(webSocket, runtime);
    const send = createSendToBackend(serviceEndpoint, settings, runtime, webSockets);
    /** Those that a policy chose; each is made when it is chosen first, and keeps its connections. */
    const chosen = new Map([[serviceEndpoint, send]]);
    function sendTo(backend: string): typeof send {
      const known = chosen.get(backend) ?? createSendToBackend(backend, settings, runtime, webSockets);
      chosen.set(backend, known);
      return known;
    }

    return function proxy(req, res, next) {
      const { principal, refusal, shownLimit, backend } = req.context;
      if (principal === null || refusal !== null || shownLimit === null) {
        throw new Error(
          'the proxy was reached by a request that was not judged: check the order of policies',
        );
      }
      if (req.context.upgrade !== null) {
        const refused = webSockets === null ? noWebSockets() : webSockets.enter(req, res);
        if (refused !== null) {
          next(refused);
          return;
        }
      }
      (backend === null ? send : sendTo(backend))(req, res, next, principal);
    };
  },
});
