/** Keeps sandboxes warm: one that may hold an organization's rows, and one that nobody used. */

import type { SandboxLimits } from './sandbox-messages.ts';
import { Sandbox } from './sandbox-process.ts';

/** Sandboxes that nobody asked for so long are ended. */
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

  /** Processes that live: those that run and those that are kept warm. */
  get processes(): readonly Sandbox[] {
    return [...this.#all];
  }

  take(organizationId: string): Sandbox {
    clearTimeout(this.#idle);
    const used = this.#used;
    if (used?.organizationId === organizationId) {
      this.#used = null;
      if (used.sandbox.isUsable) return used.sandbox;
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
