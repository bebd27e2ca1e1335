/** The routes of this plugin, for the description of the API. */
import { z } from 'zod';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import { REFERENCE_PATH } from './reference/page.ts';

const COMMON = { method: 'GET', rule: 'public', tags: ['gateway'], errors: [] } as const;
const REQUEST_HEADERS = { 'If-None-Match': 'An `ETag` of an earlier answer.' };
const KEPT = { ETag: 'Version of the answer.', Vary: 'Accept-Encoding.' };
const ASKED_AGAIN = { ...KEPT, 'Cache-Control': '`no-cache`: kept, and asked for again each time.' };
const NOSNIFF = { 'X-Content-Type-Options': 'The media type is what is said.' };

export const openapiRoutes: readonly RouteDescription[] = [
  {
    ...COMMON,
    operationId: 'getOpenApi',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of every path, as this gateway is configured.',
    requestHeaders: REQUEST_HEADERS,
    success: {
      status: 200,
      schema: z.looseObject({
        openapi: z.string(),
        info: z.looseObject({ title: z.string(), version: z.string() }),
        paths: z.record(z.string(), z.unknown()),
      }),
      example: { openapi: '3.1.0', info: { title: 'Tidegate', version: '0.1.0' }, paths: {} },
      headers: ASKED_AGAIN,
    },
  },
  {
    ...COMMON,
    operationId: 'getReference',
    path: REFERENCE_PATH,
    summary: 'The reference page',
    description: 'This document as a page for people. It loads nothing from elsewhere.',
    requestHeaders: REQUEST_HEADERS,
    success: {
      status: 200,
      schema: z.string(),
      example: '',
      mediaType: 'text/html; charset=utf-8',
      headers: {
        ...ASKED_AGAIN,
        ...NOSNIFF,
        'Content-Security-Policy': 'Its own files and this API only.',
        'Referrer-Policy': '`no-referrer`.',
      },
    },
  },
  {
    ...COMMON,
    operationId: 'getReferenceAsset',
    path: `${REFERENCE_PATH}/:asset`,
    pathParameters: { asset: 'A file that the reference page names; its name holds its version.' },
    summary: 'A file of the reference page',
    description: 'Scripts, style sheet and icon of the page.',
    requestHeaders: REQUEST_HEADERS,
    success: {
      status: 200,
      schema: z.string().meta({ format: 'binary' }),
      example: '',
      mediaType: '*/*',
      headers: { ...KEPT, ...NOSNIFF, 'Cache-Control': 'A year, immutable.' },
    },
    errors: ['NOT_FOUND'],
  },
];
