/**
 * What an endpoint of the YAML grants: which routes of a service it opens, and to whom. The identity token carries it, and
 * the service believes it: the rule stands in the YAML alone.
 */
import { z } from 'zod';
import { ROLES } from '../model/user.ts';
import type { Caller } from './caller.ts';
import { SELECTORS } from './scope-rule.ts';
import { scopeSchema } from './scopes.ts';

/** Who may ask, as an endpoint says it; {@link Endpoint} explains each. */
export const ENDPOINT_ACCESS = ['scoped', 'session', 'keyless', 'optional', 'public'] as const;
export type EndpointAccess = (typeof ENDPOINT_ACCESS)[number];

const scopesSchema = z.array(scopeSchema);

/** A grant that names nobody where it should is malformed: it must not be read as one for everybody. */
export const grantSchema = z
  .strictObject({
    /** The name of the endpoint in the YAML. */
    endpoint: z.string().min(1),
    access: z.enum(ENDPOINT_ACCESS),
    scopes: scopesSchema,
    scopesUnder: z.partialRecord(z.enum(SELECTORS), scopesSchema.min(1)).optional(),
    roles: z.array(z.enum(ROLES)),
    /** Names of the routes that it opens, such as `GET /v1/links/:id`. */
    routes: z.array(z.string()),
  })
  .refine(({ access, scopes }) => scopes.length > 0 || (access !== 'scoped' && access !== 'keyless'))
  .refine(({ access, roles }) => roles.length > 0 || access !== 'session');

export type Grant = z.infer<typeof grantSchema>;

/** A caller as a service gets it: who asks, and what the endpoint grants through which the request came. */
export interface GrantedCaller extends Caller {
  readonly grant: Grant;
}
