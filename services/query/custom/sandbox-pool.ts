/** Keeps sandboxes warm: one that may hold an organization's rows, and one that is unused. */

import type { SandboxLimits } from './sandbox-messages.ts';
import { Sandbox, type StandsBack } from './sandbox-process.ts';

/** How long a sandbox may stay unused before it is ended. */
const IDLE_MS = 5 * 60_000;

/** A sandbox that has held rows of one organization never serves another. */
export class SandboxPool {
  readonly #limits: SandboxLimits;
  readonly #all = new Set<Sandbox>();
  #used: { readonly sandbox: Sandbox; readonly organizationId: string } | null = null;
  #spare: Sandbox | null = null;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(limits: SandboxLimits) {
    this.#limits = limits;
  }

  /** Living processes: running ones and those kept warm. */
  get processes(): readonly Sandbox[] {
    return [...this.#all];
  }

  /**
   * A sandbox with the priority of the organization's queries; heavy ones get none that is warm, since those are kept for
   * others.
   */
  take(organizationId: string, standsBack: StandsBack | null): Sandbox {
    const sandbox = standsBack === 'heavy' ? this.#start() : this.#takeWarm(organizationId, standsBack);
    if (standsBack !== null && sandbox.standsBack !== standsBack) sandbox.giveWay(standsBack);
    return sandbox;
  }

  #takeWarm(organizationId: string, standsBack: 'busy' | null): Sandbox {
    clearTimeout(this.#idle);
    const used = this.#used;
    if (used?.organizationId === organizationId) {
      this.#used = null;
      const isTooLow = standsBack === null && used.sandbox.standsBack !== null;
      if (used.sandbox.isUsable && !isTooLow) return used.sandbox;
      used.sandbox.kill();
    }
    const spare = this.#spare;
    this.#spare = null;
    return spare?.isUsable ? spare : this.#start();
  }

  /** Takes a sandbox back; resolves when its process is gone or free for the next query. */
  async give(sandbox: Sandbox, organizationId: string): Promise<void> {
    if (this.#closed || !sandbox.isUsable) {
      sandbox.kill();
      await sandbox.gone;
    } else {
      this.#used?.sandbox.kill();
      this.#used = { sandbox, organizationId };
    }
    if (this.#closed) return;
    this.#spare ??= this.#start();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#endIdle(), IDLE_MS).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const all = [...this.#all];
    for (const sandbox of all) sandbox.kill();
    await Promise.all(all.map((sandbox) => sandbox.gone));
  }

  #endIdle(): void {
    this.#used?.sandbox.kill();
    this.#spare?.kill();
    this.#used = null;
    this.#spare = null;
  }

  #start(): Sandbox {
    const sandbox = new Sandbox(this.#limits);
    this.#all.add(sandbox);
    void sandbox.gone.then(() => this.#all.delete(sandbox));
    return sandbox;
  }
}
