/** How long the secret before the last rotation still works, counting down. */
import { useEffect, useState } from 'preact/hooks';
import type { ApiKeyView } from '../../api/wire.ts';
import { formatDuration } from '../../texts/format.ts';
import { oldSecretUntil } from './key-state.ts';
import { keysTexts } from './texts.ts';

export function OldSecret({ of: key }: { of: ApiKeyView }) {
  const t = keysTexts.value;
  const [now, setNow] = useState(Date.now);
  const until = oldSecretUntil(key, now);
  const isCounting = until !== null;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  if (key.previousValidUntil === null) return null;
  return (
    // Said once by readers of the screen, not every second.
    <p class="number-text" aria-live="off">
      {until === null ? t.oldEnded : t.oldWorksFor(formatDuration((until - now) / 1000))}
    </p>
  );
}
