/** An apiEndpoint of the YAML as policies see it: the rule who may ask, resolved and fixed at start. */
import type { Scope } from '../access/scopes.ts';

export interface Endpoint {
  /** Its name in the YAML. */
  readonly name: string;
  /** `scoped`: a credential with every scope is needed; `public`: a credential is optional. */
  readonly access: 'scoped' | 'public';
  readonly scopes: readonly Scope[];
  /** Methods that this path answers, for `Allow`; set when the method did not match. */
  readonly allow: readonly string[] | null;
}
