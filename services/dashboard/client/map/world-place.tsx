/** The place of the map: it has the map's height from the start, and loads the map once it comes into view. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WorldMap, WorldMapProps } from './world-map.tsx';

export function WorldPlace(props: WorldMapProps) {
  const place = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<{ WorldMap?: typeof WorldMap }>({});
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        // A script that is gone is answered by one without the map in it; the table beside it says everything.
        void import('./world-map.tsx').then(
          (module: Partial<typeof import('./world-map.tsx')>) => setLoaded(module),
          () => {},
        );
      },
      { rootMargin: '200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="world-place" ref={place}>
      {loaded.WorldMap && <loaded.WorldMap {...props} />}
    </div>
  );
}
