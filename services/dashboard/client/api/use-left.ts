/** Whether the screen of a component was left, for what comes after a call: it must not pull anybody back. */
import { useLayoutEffect, useRef } from 'preact/hooks';

export function useLeft(): () => boolean {
  const left = useRef(false);
  useLayoutEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  return () => left.current;
}
