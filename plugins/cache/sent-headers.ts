/** The client's headers as the backend gets them: what its answer may depend on. */
import { applyPolicies } from '../kit/changed-headers.ts';
import { createForwardedHeaders } from '../kit/forwarded-headers.ts';
import { plainName } from '../kit/header-names.ts';
import type { GatewayRequest } from '../kit/request-context.ts';

/** The headers that the backend gets of a request, without those that the gateway adds: name, value, name, value. */
export type SentHeaders = (req: GatewayRequest) => readonly string[];

/** The same way that the proxy goes; `isFromTrustedProxy` as there. */
export function createSentHeaders(isFromTrustedProxy: (req: GatewayRequest) => boolean): SentHeaders {
  const forwarded = createForwardedHeaders((req) => isFromTrustedProxy(req as GatewayRequest));
  return function sentHeaders(req) {
    const headers = forwarded.request(req, req.context.isInflated);
    applyPolicies(headers, req);
    return headers;
  };
}

/** Every line that a backend may take for this header, as [name, value], in their order. */
export function linesOf(sent: readonly string[], name: string): readonly (readonly [string, string])[] {
  const plain = plainName(name);
  const lines: [string, string][] = [];
  for (let index = 0; index < sent.length; index += 2) {
    const each = sent[index] as string;
    if (plainName(each) === plain) lines.push([each.toLowerCase(), sent[index + 1] as string]);
  }
  return lines;
}
