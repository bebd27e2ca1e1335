/** The route of this plugin, for the description of the API. */
import { z } from 'zod';
import type { RouteDescription } from '../../services/shared/http/route.ts';

/** A public key of EdDSA over Ed25519 (RFC 8037). */
const jwkSchema = z
  .looseObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string(),
    kid: z.string(),
  })
  .meta({ title: 'IdentityKey' });

export const jwksRoutes: readonly RouteDescription[] = [
  {
    operationId: 'getIdentityKeys',
    method: 'GET',
    path: '/.well-known/jwks.json',
    rule: 'public',
    summary: 'The public identity keys',
    description: 'Public keys by which services verify the identity that the gateway signs (RFC 7517).',
    tags: ['gateway'],
    success: {
      status: 200,
      schema: z.object({ keys: z.array(jwkSchema) }),
      example: {
        keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'one' }],
      },
    },
    errors: [],
  },
];
