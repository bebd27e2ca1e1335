/** The script that stands in for one of another version: it loads the page again, three times, and then says so. */
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { RELOAD_SCRIPT } from '../../../plugins/pages/reload-script.ts';

/** A window with as much of a browser as the script needs. */
class Window {
  readonly stored = new Map<string, string>();
  readonly waits: number[] = [];
  nowMs = 1_700_000_000_000;
  reloads = 0;
  storage: 'open' | 'closed' | 'full' = 'open';

  /** Loads a document that names this many scripts of another version; what it says of itself in the end. */
  load(scripts = 1): string | null {
    const attributes = new Map<string, string>();
    const context = {
      document: {
        documentElement: {
          hasAttribute: (name: string) => attributes.has(name),
          setAttribute: (name: string, value: string) => attributes.set(name, value),
        },
      },
      sessionStorage: {
        getItem: (name: string) => this.#reach().get(name) ?? null,
        setItem: (name: string, value: string) => {
          if (this.storage === 'full') throw new Error('QuotaExceededError');
          this.#reach().set(name, value);
        },
      },
      Date: { now: () => this.nowMs },
      location: { reload: () => this.reloads++ },
      setTimeout: (run: () => void, waitMs: number) => {
        this.waits.push(waitMs);
        run();
      },
    };
    for (let count = 0; count < scripts; count++) runInNewContext(RELOAD_SCRIPT, context);
    expect([...attributes.keys()]).to.deep.equal(['data-new-version']);
    return attributes.get('data-new-version') ?? null;
  }

  #reach(): Map<string, string> {
    if (this.storage === 'closed') throw new Error('SecurityError');
    return this.stored;
  }
}

describe('the script of another version', () => {
  it('loads the page again three times, each time after a longer wait, and then marks it', () => {
    const window = new Window();
    const told = Array.from({ length: 6 }, () => window.load());
    expect(told).to.deep.equal([
      ...['reloading', 'reloading', 'reloading'],
      ...['not-loaded', 'not-loaded', 'not-loaded'],
    ]);
    expect([window.reloads, window.waits]).to.deep.equal([3, [500, 1_000, 2_000]]);
  });

  it('counts a page once, however many of its scripts are gone', () => {
    const window = new Window();
    expect(window.load(10)).to.equal('reloading');
    expect(window.reloads).to.equal(1);
  });

  it('begins anew a minute after the last time', () => {
    const window = new Window();
    for (let count = 0; count < 4; count++) window.load();
    window.nowMs += 59_000;
    expect(window.load()).to.equal('not-loaded');
    window.nowMs += 2_000;
    expect(window.load()).to.equal('reloading');
    expect(window.reloads).to.equal(4);
  });

  it('does not load again where it cannot count', () => {
    for (const storage of ['closed', 'full'] as const) {
      const window = new Window();
      window.storage = storage;
      expect(window.load(), storage).to.equal('not-loaded');
      expect(window.reloads).to.equal(0);
    }
  });

  it('begins anew at a count that is none', () => {
    const window = new Window();
    window.stored.set('pages.reloads', 'nonsense');
    expect(window.load()).to.equal('reloading');
  });
});
