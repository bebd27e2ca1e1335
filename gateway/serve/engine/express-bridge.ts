/** Passes a request to express, where third-party policies run: they see no forged identity and answer with our headers. */
import type { ServerResponse } from 'node:http';
import { pushCommonHeaders } from '../../../plugins/kit/reply.ts';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import type { ExpressApp } from '../../../plugins/kit/runtime.ts';
import { queryOf } from '../../../services/shared/http/query-string.ts';
import { isIdentityHeader } from '../../../services/shared/identity/identity-token.ts';

/** Runs the request on express. */
export function runOnExpress(app: ExpressApp, req: GatewayRequest, res: ServerResponse): void {
  dropIdentityHeaders(req);
  req.context.headersBefore = { ...req.headers };
  addCommonHeaders(req, res);
  // Express uses an existing value and skips its own parser.
  Object.assign(req, { query: queryOf(req.url) });
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

/** Headers already on the answer that decide which common headers it gets. */
const LOOKED_AT = ['Content-Type', 'Cache-Control', 'Vary', 'X-Content-Type-Options'];

function ownHeaders(res: ServerResponse): string[] {
  return LOOKED_AT.flatMap((name) => {
    const value = res.getHeader(name);
    return value === undefined ? [] : [name, `${value}`];
  });
}

/** Adds the headers that our own writers did not set when the headers are sent, whatever answers. */
function addCommonHeaders(req: GatewayRequest, res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (...parameters: unknown[]) => ServerResponse;
  const withHeaders = (...parameters: unknown[]): ServerResponse => {
    if (!req.context.hasCommonHeaders) {
      const headers = ownHeaders(res);
      pushCommonHeaders(headers, req.context);
      for (let index = 0; index < headers.length; index += 2) {
        res.setHeader(headers[index] as string, headers[index + 1] as string);
      }
    }
    return writeHead(...parameters);
  };
  res.writeHead = withHeaders as ServerResponse['writeHead'];
}
