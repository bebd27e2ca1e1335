/** What somebody chose by ids: kept in this browser, for each organization. */
import { useState } from 'preact/hooks';
import { organization } from '../api/session.ts';

export interface KeptIds {
  has(id: string): boolean;
  /** Takes an id in, or out. */
  toggle(id: string): void;
}

/** `most`: a further one takes the place of the oldest. */
export function useKeptIds(name: string, most: number): KeptIds {
  const key = `tidegate-${name}-${organization.value?.id}`;
  const [ids, setIds] = useState(() => kept(key, most));
  return {
    has: (id) => ids.includes(id),
    toggle: (id) =>
      setIds((before) => {
        const others = before.filter((each) => each !== id);
        const next = others.length < before.length ? others : [...others, id].slice(-most);
        try {
          localStorage.setItem(key, JSON.stringify(next));
        } catch {
          // Storage is off: the choice lasts as long as the screen.
        }
        return next;
      }),
  };
}

function kept(key: string, most: number): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? found.filter((each) => typeof each === 'string').slice(-most) : [];
  } catch {
    return [];
  }
}
