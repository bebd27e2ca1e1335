/** The scopes of the specification, in its order (spec.md, Authentication). */
export const SCOPES = [
  'read:data',
  'track:events',
  'read:links',
  'write:links',
  'manage:websites',
  'manage:flags',
  'manage:config',
] as const;

export type Scope = (typeof SCOPES)[number];
