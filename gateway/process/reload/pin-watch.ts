/** Notices that an operator pinned a configuration, or ended a pin, in any process of the installation. */
import { type PinStore, pinMark, readPin } from '../../configuration/history/pin.ts';

/** How often the store is asked, in milliseconds: one look-up by identifier. */
export const PIN_LOOKS_MS = 2_000;

export interface PinWatch {
  close(): void;
}

/** Calls `changed` with why the configuration is to be read again. `inForce`: the number that the process has in force at the start, null for its files. */
export async function watchPin(
  store: PinStore,
  inForce: number | null,
  changed: (reason: string) => void,
  everyMs = PIN_LOOKS_MS,
): Promise<PinWatch> {
  const first = await readPin(store).catch(() => undefined);
  /** Undefined: whatever is found is news. */
  let known = first !== undefined && (first?.number ?? null) === inForce ? pinMark(first) : undefined;
  let looking = false;

  async function look(): Promise<void> {
    looking = true;
    try {
      const pin = await readPin(store);
      const mark = pinMark(pin);
      if (mark !== known) {
        known = mark;
        changed(pin === null ? 'nothing is pinned' : `rollback to ${pin.number} by ${pin.by}`);
      }
    } catch {
      // The store is asked again; readiness tells that it is away.
    } finally {
      looking = false;
    }
  }

  const looks = setInterval(() => {
    if (!looking) void look();
  }, everyMs);
  looks.unref();
  return { close: () => clearInterval(looks) };
}
