/** The secret of a key, shown this once, with a call that works at once: nobody leaves before it is stored, unless they say so. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ownOrigin } from '../../address.ts';
import type { ApiKeyView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/copy.tsx';
import { Notice } from '../../design/notice.tsx';
import { curlLine } from './curl-line.ts';
import { LeaveQuestion } from './leave-question.tsx';
import { OldSecret } from './old-secret.tsx';
import { keysTexts } from './texts.ts';

/** A key as its creation and its rotation answer. It lives in the state of one component, and nowhere else. */
export type KeyWithSecret = ApiKeyView & { readonly secret: string };

interface KeySecretProps {
  readonly title: string;
  readonly of: KeyWithSecret;
  /** Any website that the key reaches, for the call to try; undefined when none is known. */
  readonly websiteId: string | undefined;
  /** Forgets the secret: it is stored elsewhere, or the page is left. */
  readonly onStored: () => void;
  readonly onLost: () => void;
}

export function KeySecret({ title, of: key, websiteId, onStored, onLost }: KeySecretProps) {
  const t = keysTexts.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const { secret, scopes, access } = key;
  const reached = access.level === 'website' ? access.websiteIds[0] : websiteId;
  const line = curlLine({ origin: ownOrigin(), secret, scopes, access, websiteId: reached });
  return (
    <section class="card stack key-form">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <Notice kind="warn">{t.copyLead}</Notice>
      <div class="stack secret">
        <h3>{t.secret}</h3>
        <Copy text={secret} label={t.secret} />
      </div>
      {line && (
        <div class="stack secret">
          <h3>{t.tryIt}</h3>
          <p class="hint">{t.tryItHint[line.leaves]}</p>
          <Copy text={line.text} label={t.tryIt} />
        </div>
      )}
      <OldSecret of={key} />
      <div class="row">
        <Button kind="primary" icon="check" onClick={onStored}>
          {t.stored}
        </Button>
      </div>
      <LeaveQuestion text={t.leaveText} onLeave={onLost} />
    </section>
  );
}
