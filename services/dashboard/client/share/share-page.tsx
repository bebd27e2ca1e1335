/** The page of a share: its numbers, the form for its password, or that there is none. */
import { useEffect, useState } from 'preact/hooks';
import { shareToken } from '../address.ts';
import type { SharePageState, ShownShare } from '../api/wire.ts';
import { timezone } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { shareTexts } from './share-texts.ts';
import { SharedNumbers } from './shared-numbers.tsx';
import { keepTicket, recallTicket, type Unlocked } from './ticket.ts';
import { UnlockForm } from './unlock-form.tsx';

export function SharePage({ state }: { state: SharePageState }) {
  const [token] = useState(shareToken);
  const [isGone, setGone] = useState(state === 'missing');
  const [unlocked, setUnlocked] = useState<Unlocked | null>(() =>
    state === 'locked' ? recallTicket(token, Date.now()) : null,
  );
  const [isOver, setOver] = useState(false);
  const unlock = (next: Unlocked | null) => {
    keepTicket(token, next);
    setUnlocked(next);
    setOver(next === null);
  };
  const share = typeof state === 'object' ? state.share : unlocked?.share;
  useEffect(() => {
    document.title = share?.name ?? shareTexts.value.title;
  }, [share]);
  if (isGone) return <Gone />;
  if (share === undefined) {
    return <UnlockForm token={token} isOver={isOver} onUnlocked={unlock} onGone={() => setGone(true)} />;
  }
  return (
    <Numbers
      share={share}
      token={token}
      ticket={unlocked?.ticket ?? null}
      onLocked={() => unlock(null)}
      onGone={() => setGone(true)}
    />
  );
}

interface NumbersProps {
  readonly share: ShownShare;
  readonly token: string;
  readonly ticket: string | null;
  readonly onLocked: () => void;
  readonly onGone: () => void;
}

function Numbers(props: NumbersProps) {
  // Times are those of the share, wherever it is read.
  timezone.value = props.share.timezone;
  return <SharedNumbers {...props} />;
}

function Gone() {
  const t = shareTexts.value;
  return (
    <main class="entrance" id="content">
      <div class="card stack" role="status">
        <h1>{t.missing}</h1>
        <p>{t.missingHint}</p>
      </div>
      <p class="brand">{texts.value.words.product}</p>
    </main>
  );
}
