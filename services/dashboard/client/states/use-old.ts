/** The class of numbers that stay while others come. */
import { useEffect, useState } from 'preact/hooks';

/** Numbers that come sooner replace those before without a flicker, and to dim a screen is not what holds up the press that asked for them. */
const SHOWN_AFTER_MS = 200;

/** `is-old` once numbers of an earlier question have stood for {@link SHOWN_AFTER_MS}; otherwise nothing. */
export function useOldClass(isOld: boolean): '' | 'is-old' {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!isOld) return;
    const timer = setTimeout(() => setLasting(true), SHOWN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [isOld]);
  return isOld && isLasting ? 'is-old' : '';
}
