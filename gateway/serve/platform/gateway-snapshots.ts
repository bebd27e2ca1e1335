/** The states of every gateway process: each tells its own in the document store, and reads those of the others. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { INSTALLATION } from '../../../services/shared/model/configuration-record.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import { type DocumentStore, DuplicateError } from '../../../services/shared/ports/document-store.ts';
import type { Ids } from '../../../services/shared/ports/ids.ts';
import { type GatewayState, gatewayStateSchema } from './gateway-state.ts';

/** How often a gateway tells its state, in milliseconds: what the view of another one lags behind. */
const TOLD_EVERY_MS = 5_000;
/** A gateway that was silent for so long is shown no more, in milliseconds. */
const SILENT_MS = 20_000;
/** The snapshot of one that was silent for so long is removed. */
const GONE_MS = 600_000;

/** One gateway process and what it last told. */
export interface SeenGateway {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly state: GatewayState;
}

export interface SnapshotPorts {
  readonly documents: Pick<DocumentStore, 'gatewaySnapshots'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What is known of all gateways. */
export interface SeenGateways {
  /** Every one that told something lately, this one first, and as it is now; this one alone while the store does not answer. */
  readonly gateways: readonly SeenGateway[];
  /** Whether the document store answered. */
  readonly storeAnswers: boolean;
}

export interface GatewaySnapshots {
  all(): Promise<SeenGateways>;
  /** Removes its own. Never rejects. */
  close(): Promise<void>;
}

/** `isShared`: other processes may use the same stores, so this one tells its state all the time. */
export function createGatewaySnapshots(
  { documents, ids, clock, logger }: SnapshotPorts,
  isShared: boolean,
  readState: () => Promise<GatewayState>,
): GatewaySnapshots {
  const id = ids.create('gwy');
  const own = { id, host: hostname(), pid: process.pid };
  const startedAt = new Date(clock.now()).toISOString();
  const store = documents.gatewaySnapshots;
  let underWay: Promise<void> = Promise.resolve();
  let isSilent = false;

  async function tell(): Promise<void> {
    const told = { seenAt: new Date(clock.now()).toISOString(), state: JSON.stringify(await readState()) };
    const known = await store.get(INSTALLATION, id);
    if (known !== null) {
      await store.update(INSTALLATION, id, known.version, told);
      return;
    }
    await store
      .insert({ ...own, organizationId: INSTALLATION, startedAt, ...told })
      .catch((fault: unknown) => {
        if (!(fault instanceof DuplicateError)) throw fault;
      });
  }

  function tellNext(): void {
    underWay = underWay.then(tell).then(
      () => {
        isSilent = false;
      },
      (fault: unknown) => {
        // Once per outage: operators learn of stores that are down elsewhere.
        if (!isSilent) logger.warn({ err: fault }, 'what this gateway does could not be told to the others');
        isSilent = true;
      },
    );
  }

  const timer = isShared ? setInterval(tellNext, TOLD_EVERY_MS).unref() : null;

  return {
    async all() {
      const now = clock.now();
      const gateways: SeenGateway[] = [
        { ...own, startedAt, seenAt: new Date(now).toISOString(), state: await readState() },
      ];
      const told = await store.all(INSTALLATION).catch(() => null);
      for (const { id: other, host, pid, startedAt: since, seenAt, state } of told ?? []) {
        if (other === id) continue;
        const silentMs = now - Date.parse(seenAt);
        if (silentMs > GONE_MS) await store.remove(INSTALLATION, other).catch(() => false);
        const read = silentMs > SILENT_MS ? null : parsed(state);
        if (read !== null) gateways.push({ id: other, host, pid, startedAt: since, seenAt, state: read });
      }
      return { gateways, storeAnswers: told !== null };
    },
    async close() {
      if (timer === null) return;
      clearInterval(timer);
      await underWay;
      await store.remove(INSTALLATION, id).catch(() => undefined);
    },
  };
}

/** Null: a gateway of another version says something else. */
function parsed(text: string): GatewayState | null {
  try {
    const { success, data } = gatewayStateSchema.safeParse(JSON.parse(text));
    return success ? data : null;
  } catch {
    return null;
  }
}
