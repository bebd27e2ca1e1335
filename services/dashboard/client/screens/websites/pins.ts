/** The websites that stand first in the list: kept in this browser, for each organization. */
import { useState } from 'preact/hooks';
import { organization } from '../../api/session.ts';

/** A further one takes the place of the oldest. */
const MOST = 9;

export interface Pins {
  has(id: string): boolean;
  /** Pins a website, or ends that. */
  toggle(id: string): void;
}

export function usePins(): Pins {
  const key = `tidegate-pins-${organization.value?.id}`;
  const [ids, setIds] = useState(() => kept(key));
  return {
    has: (id) => ids.includes(id),
    toggle(id) {
      const others = ids.filter((each) => each !== id);
      const next = others.length < ids.length ? others : [...others, id].slice(-MOST);
      setIds(next);
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Storage is off: the choice lasts as long as the screen.
      }
    },
  };
}

function kept(key: string): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? found.filter((each) => typeof each === 'string').slice(-MOST) : [];
  } catch {
    return [];
  }
}
