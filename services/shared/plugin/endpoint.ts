/** An apiEndpoint of the YAML as policies see it: the rule who may ask, resolved and fixed at start. */
import type { Scope } from '../access/scopes.ts';

/** What kind of route it is: names its group in the public limit, and gives ingest its `status: "error"`. */
export const ENDPOINT_CLASSES = ['ingest', 'flags', 'links', 'other'] as const;
export type EndpointClass = (typeof ENDPOINT_CLASSES)[number];

export interface Endpoint {
  /** Its name in the YAML. */
  readonly name: string;
  /**
   * `scoped`: a credential with every scope is needed; `optional`: nobody may ask too, but a wrong credential is refused;
   * `public`: credentials are not read.
   */
  readonly access: 'scoped' | 'optional' | 'public';
  readonly scopes: readonly Scope[];
  readonly class: EndpointClass;
  /** Methods that this path answers, for `Allow`; set when the method did not match. */
  readonly allow: readonly string[] | null;
}
