/** The organizations that tokens name, as the document store has them, remembered for a few seconds unless the bus announces a change. */
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Organization } from '../../services/shared/model/organization.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { storeFault } from '../kit/store-fault.ts';
import { VERDICT_LIFE_MS } from '../kit/verdict-life.ts';

export interface OrganizationPorts {
  readonly documents: Pick<DocumentStore, 'organizations'>;
  readonly bus: Bus;
  readonly clock: Clock;
}

export interface KnownOrganizations {
  /**
   * The organization, null when there is none, from a look-up with so much of its life left; a promise only when the store is
   * asked. The same object means that nothing was looked up anew. Rejects with SERVICE_UNAVAILABLE when the store is down or slow.
   */
  of(id: string, leastLeftMs: number): Organization | null | Promise<Organization | null>;
  close(): void;
}

interface State {
  readonly found: Organization | null;
  readonly staleAtMs: number;
}

/** For as many organizations as the configuration names: nothing else bounds it. */
export function createKnownOrganizations({ documents, bus, clock }: OrganizationPorts): KnownOrganizations {
  const known = new Map<string, State>();
  const underWay = new Map<string, Promise<Organization | null>>();
  /** Each change raises it: a look-up that began before must not be remembered after. */
  let epoch = 0;

  async function lookUp(id: string): Promise<Organization | null> {
    const staleAtMs = clock.now() + VERDICT_LIFE_MS;
    const begunIn = epoch;
    const found = await documents.organizations.get(id, id).catch((fault: unknown) => {
      throw storeFault(fault);
    });
    // The store was so slow that its answer is outdated: neither yes nor no.
    if (staleAtMs <= clock.now()) {
      const cause = new Error(`the look-up of an organization took ${VERDICT_LIFE_MS} ms or more`);
      throw new ApiError('SERVICE_UNAVAILABLE', { cause });
    }
    if (begunIn === epoch) known.set(id, { found, staleAtMs });
    return found;
  }

  function lookUpOnce(id: string): Promise<Organization | null> {
    const pending = lookUp(id).finally(() => {
      if (underWay.get(id) === pending) underWay.delete(id);
    });
    underWay.set(id, pending);
    return pending;
  }

  const close = bus.subscribe((change) => {
    if (change.kind !== 'everything' && change.kind !== 'organization') return;
    epoch++;
    // Later requests must not join a look-up that may have read the state before.
    underWay.clear();
    if (change.kind === 'everything') known.clear();
    else known.delete(change.id);
  });
  return {
    of(id, leastLeftMs) {
      const state = known.get(id);
      if (state !== undefined && state.staleAtMs > clock.now() + leastLeftMs) return state.found;
      return underWay.get(id) ?? lookUpOnce(id);
    },
    close,
  };
}
