/** Loads a part of a screen after the rest of it, so that the first numbers wait for less. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { textsOfScreens } from '../texts/screen-texts.ts';

/**
 * The module of a part; undefined while it loads, null when it did not come: a script that is gone is answered by one without anything in it.
 * `load`: the same function each time. `isWanted`: whether to load it yet; once loaded it stays.
 */
export function usePart<Part extends object>(
  load: () => Promise<Partial<Part>>,
  isWanted = true,
): Part | undefined | null {
  const [part, setPart] = useState<{ readonly module: Part | null }>();
  const wasWanted = useRef(false);
  wasWanted.current ||= isWanted;
  useEffect(() => {
    if (!wasWanted.current) return;
    let isLeft = false;
    const show = (module: Partial<Part> | null) => {
      const isWhole = module !== null && Object.keys(module).length > 0;
      if (!isLeft) setPart({ module: isWhole ? (module as Part) : null });
    };
    void load()
      .then(async (module) => {
        await textsOfScreens();
        return module;
      })
      .then(show, () => show(null));
    return () => {
      isLeft = true;
    };
  }, [load, wasWanted.current]);
  return part?.module;
}
