/** Says which web pages may read the answers of a pipeline, because a platform knows its own pages and those of its customers. */
import { z } from 'zod';
import { VARIES } from '../kit/answer-headers.ts';
import {
  CORS_EXPOSED_HEADERS,
  CORS_METHODS,
  CORS_REQUEST_HEADERS,
  type CorsRule,
  corsHandler,
  PREFLIGHT_SECONDS,
} from '../kit/cors-rule.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import { createOrigins, originFault } from './origins.ts';

const headerName = z
  .string()
  .regex(/^[!#$%&'+.^_`|~0-9A-Za-z-]{1,100}$/, 'is not the name of a header; a star stands for none');
const origin = z.string().superRefine((text, context) => {
  const fault = originFault(text);
  if (fault !== null) context.addIssue(`"${text}" ${fault}`);
});

const corsParams = z
  .strictObject({
    origins: z
      .array(origin)
      .min(1)
      .max(200)
      .describe(
        'Pages that may read the answers: origins, all subdomains of a domain (https://*.example.com), or "*".',
      ),
    methods: z
      .array(z.enum(CORS_METHODS as [string, ...string[]]))
      .min(1)
      .default([...CORS_METHODS])
      .describe('Methods that pages may use. Default: all six.'),
    headers: z
      .array(headerName)
      .default([...CORS_REQUEST_HEADERS])
      .describe('Headers that pages may send. Default: those of the gateway.'),
    exposedHeaders: z
      .array(headerName)
      .default([])
      .describe('Headers that pages may read, besides those of the gateway. Default: none.'),
    maxAgeSeconds: z
      .number()
      .int()
      .min(0)
      .max(86_400)
      .default(PREFLIGHT_SECONDS)
      .describe('How long a browser may keep the answer to a preflight. Default 600.'),
    credentials: z
      .boolean()
      .default(false)
      .describe('Whether pages may send cookies. Never with the origin "*". Default false.'),
  })
  .superRefine(({ origins, credentials }, context) => {
    const isOpen = origins.includes('*');
    if (isOpen && origins.length > 1)
      context.addIssue({
        code: 'custom',
        path: ['origins'],
        message: 'has "*" beside others, which it holds',
      });
    if (isOpen && credentials) {
      const message =
        'is not possible with the origin "*": any page could then ask in the name of its visitor';
      context.addIssue({ code: 'custom', path: ['credentials'], message });
    }
  });

type CorsParams = z.infer<typeof corsParams>;

function createRule({ origins, methods, headers, exposedHeaders, ...rest }: CorsParams): CorsRule {
  const admits = createOrigins(origins);
  const isOpen = origins.includes('*');
  const exposed = [...CORS_EXPOSED_HEADERS, ...exposedHeaders].join(', ');
  const [allowedMethods, allowedHeaders] = [methods.join(', '), headers.join(', ')];

  /** Whether the page may read the answer. A cache keeps answers for pages, also those that none asked for. */
  function addOrigin({ headers: { origin }, context }: GatewayRequest): boolean {
    if (isOpen) {
      context.addHeader('Access-Control-Allow-Origin', '*');
      return true;
    }
    context.varies |= VARIES.origin;
    if (origin === undefined || !admits(origin)) return false;
    context.addHeader('Access-Control-Allow-Origin', origin);
    if (rest.credentials) context.addHeader('Access-Control-Allow-Credentials', 'true');
    return true;
  }

  return {
    addTo(req) {
      if (!addOrigin(req)) return false;
      req.context.addHeader('Access-Control-Expose-Headers', exposed);
      return true;
    },
    addToPreflight(req) {
      if (!addOrigin(req)) return;
      req.context.addHeader('Access-Control-Allow-Methods', allowedMethods);
      if (allowedHeaders !== '') req.context.addHeader('Access-Control-Allow-Headers', allowedHeaders);
      req.context.addHeader('Access-Control-Max-Age', `${rest.maxAgeSeconds}`);
    },
  };
}

export const corsPolicy = defineGatewayPolicy({
  name: 'cors',
  schema: corsParams,
  check({ methods }, { endpoints, isOnExpress }) {
    const faults = [];
    if (isOnExpress)
      faults.push({
        path: [],
        text: 'works in the dispatch table alone: no host, regular expression or condition in its pipeline, nor at another endpoint over its paths',
      });
    const open = endpoints.find(({ cors }) => cors === 'open');
    if (open !== undefined)
      faults.push({
        path: [],
        text: `the endpoint "${open.name}" says cors: open; only one of the two can hold`,
      });
    const answered = new Set(endpoints.flatMap((endpoint) => endpoint.methods ?? CORS_METHODS));
    if (answered.has('GET')) answered.add('HEAD');
    // Left out, they are all six, whatever the endpoints answer.
    if (methods.length === CORS_METHODS.length) return faults;
    for (const [index, method] of methods.entries()) {
      if (!answered.has(method))
        faults.push({ path: ['methods', index], text: `no endpoint of this pipeline answers ${method}` });
    }
    return faults;
  },
  explain({ origins, credentials }) {
    const whose = origins.includes('*') ? 'every page' : `pages of ${origins.join(', ')}`;
    return `${whose} may read the answer, ${credentials ? 'with' : 'without'} credentials`;
  },
  create: (params) => corsHandler(createRule(params)),
});
