/** POST /public/v1/shares/{token}/query: the datasets of a share, for whoever has its link. */
import { z } from 'zod';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { TICKET_HEADER } from '../../shared/shares/share-ticket.ts';
import type { QueryPorts } from '../query-ports.ts';
import { answerShare } from '../shares/answer-share.ts';
import { shareRequestSchema } from '../shares/share-request.ts';
import { answerSchema } from './answer-schema.ts';
import { shownSchema } from './shown-schemas.ts';

/** 20 filters with 100 texts each have room. */
const MAX_BODY_BYTES = 262_144;

const noQuery = z.strictObject({});

export const shareQueryRoute: Route<QueryPorts> = defineRoute<QueryPorts, unknown, z.output<typeof noQuery>>({
  operationId: 'queryShare',
  method: 'POST',
  path: '/public/v1/shares/:token/query',
  pathParameters: { token: 'The token of the share, which is part of its link.' },
  rule: 'public',
  summary: 'Query a share',
  description:
    'Computes datasets of the share, as POST /v1/query does, under the filters of its view, in its time zone and within its range, which is asked where the body names none. Filters of the body make it narrower, by what the datasets of the share show. No selectors, further dimensions or batches. ' +
    'A share with a password wants the ticket of POST /public/v1/shares/{token}/unlock, else it is AUTH_REQUIRED. An unknown, expired or deleted share is NOT_FOUND. Neither keys nor cookies are read.',
  tags: ['shares'],
  query: noQuery,
  requestHeaders: { [TICKET_HEADER]: 'The ticket of a share with a password.' },
  body: {
    schema: shownSchema(shareRequestSchema),
    maxBytes: MAX_BODY_BYTES,
    example: { parameters: ['summary', 'pages'] },
  },
  success: {
    status: 200,
    schema: answerSchema.extend({ success: z.literal(true), requestId: z.string() }),
    example: {
      success: true,
      requestId: 'r-1',
      data: [{ parameter: 'pages', success: true, data: [{ path: '/', pageviews: 3, visitors: 2 }] }],
      meta: {
        parameters: ['pages'],
        total_parameters: 1,
        page: 1,
        limit: 100,
        filters_applied: 1,
        failed: 0,
      },
    },
  },
  errors: [
    'VALIDATION_ERROR',
    'INVALID_DATE_RANGE',
    'AUTH_REQUIRED',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'SERVICE_UNAVAILABLE',
  ],
  async handler({ params, body, headers, requestId, signal }, ports) {
    const call = { token: params.token ?? '', ticket: headers[TICKET_HEADER], body, signal };
    const answer = await answerShare(call, ports);
    return {
      body: { success: true, requestId, ...answer },
      headers: { 'Cache-Control': 'private, no-store' },
    };
  },
});
