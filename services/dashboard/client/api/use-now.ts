/** The present, as a screen shows it: it moves on every so many seconds, while the tab is seen. */
import { useEffect, useRef, useState } from 'preact/hooks';

/** Milliseconds since 1970. A tab that comes back to sight after longer than that moves on at once. */
export function useNow(everySeconds: number): number {
  const [now, setNow] = useState(() => Date.now());
  const shown = useRef(now);
  useEffect(() => {
    const every = everySeconds * 1000;
    const move = () => {
      if (document.hidden || Date.now() - shown.current < every) return;
      shown.current = Date.now();
      setNow(shown.current);
    };
    // Timers may fire a little early; a second later is soon enough.
    const timer = setInterval(move, 1000);
    document.addEventListener('visibilitychange', move);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', move);
    };
  }, [everySeconds]);
  return now;
}
