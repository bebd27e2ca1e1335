/** The scopes of the specification, in its order (spec.md, Authentication), and what the name of any scope may be. */
import { z } from 'zod';

/** Every configuration has these; it may add others. */
export const SCOPES = [
  'read:data',
  'track:events',
  'read:links',
  'write:links',
  'manage:websites',
  'manage:flags',
  'manage:config',
] as const;

export type ShippedScope = (typeof SCOPES)[number];

/** The name of a scope that the configuration lists, or once listed. */
export type Scope = string;

/** A verb and a noun, such as `read:orders`. */
export const SCOPE_NAME = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/;
/** Longest name, in characters. */
export const LONGEST_SCOPE = 64;

/** Marks in a schema the name of a scope, and who holds it: the description of the API lists those in force there. */
export const SCOPES_OF = 'x-scopes-of';

/** The name of a scope, whether or not the configuration lists it. */
export const scopeSchema = z.string().max(LONGEST_SCOPE).regex(SCOPE_NAME);
