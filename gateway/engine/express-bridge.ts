/** Hands a request to express, where policies of third parties run: they see no forged identity and answer with our headers. */
import type { ServerResponse } from 'node:http';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';
import { pushCommonHeaders } from '../../services/shared/plugin/reply.ts';
import type { GatewayRequest } from '../../services/shared/plugin/request-context.ts';
import type { ExpressApp } from '../../services/shared/plugin/runtime.ts';

/** Runs the request on express. */
export function runOnExpress(app: ExpressApp, req: GatewayRequest, res: ServerResponse): void {
  dropIdentityHeaders(req);
  addCommonHeaders(req, res);
  app(req, res);
}

function dropIdentityHeaders(req: GatewayRequest): void {
  for (const name of Object.keys(req.headers)) {
    if (isIdentityHeader(name)) delete req.headers[name];
  }
  const kept: string[] = [];
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index] as string;
    if (!isIdentityHeader(name.toLowerCase())) kept.push(name, req.rawHeaders[index + 1] as string);
  }
  req.rawHeaders.splice(0, req.rawHeaders.length, ...kept);
}

/** Whoever answers: what our own writers did not add is added when the headers leave. */
function addCommonHeaders(req: GatewayRequest, res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (...parameters: unknown[]) => ServerResponse;
  const withHeaders = (...parameters: unknown[]): ServerResponse => {
    if (!req.context.hasCommonHeaders) {
      const headers: string[] = [];
      pushCommonHeaders(headers, req.context);
      for (let index = 0; index < headers.length; index += 2) {
        res.setHeader(headers[index] as string, headers[index + 1] as string);
      }
    }
    return writeHead(...parameters);
  };
  res.writeHead = withHeaders as ServerResponse['writeHead'];
}
