/** Gives a key a new secret, and says how long the old one still works. */
import { useId, useState } from 'preact/hooks';
import { useWrite } from '../../api/use-write.ts';
import type { ApiKeyView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Check } from '../../design/check.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import type { KeyWithSecret } from './key-secret.tsx';
import { oldSecretUntil } from './key-state.ts';
import { type KeyTarget, pathOf } from './key-target.ts';
import { LeaveQuestion, nothingToForget } from './leave-question.tsx';
import { keysTexts } from './texts.ts';

/** How long the old secret may serve on, in seconds. */
const GRACES = ['0', '3600', '86400'] as const;

interface RotateKeyProps {
  readonly of: ApiKeyView;
  readonly target: KeyTarget;
  readonly isExpired: boolean;
  readonly onRotated: (key: KeyWithSecret) => void;
}

export function RotateKey({ of: key, target, isExpired, onRotated }: RotateKeyProps) {
  const t = keysTexts.value;
  const id = useId();
  const [grace, setGrace] = useState<(typeof GRACES)[number]>('3600');
  const write = useWrite();
  async function rotate(): Promise<void> {
    const answer = await write.send<{ data: KeyWithSecret }>({
      method: 'POST',
      path: pathOf(target, 'rotate'),
      body: { graceSeconds: Number(grace) },
      ifMatch: target.etag ?? undefined,
    });
    if (answer?.ok) onRotated(answer.body.data);
  }
  if (isExpired) {
    return (
      <section class="card stack key-form">
        <h2>{t.rotateTitle}</h2>
        <p class="hint">{t.rotateExpired}</p>
      </section>
    );
  }
  return (
    <section class="card stack key-form">
      <h2>{t.rotateTitle}</h2>
      {write.isSending && <LeaveQuestion text={t.leaveComing} onLeave={nothingToForget} />}
      <fieldset class="checks">
        <legend class="plain-legend">{t.rotateLead}</legend>
        {GRACES.map((each) => (
          <Check
            key={each}
            group={id}
            label={t.graces[each]}
            isChecked={grace === each}
            onChange={() => setGrace(each)}
          />
        ))}
      </fieldset>
      {oldSecretUntil(key, Date.now()) !== null && <p class="hint">{t.rotateEnds}</p>}
      {write.fault && (
        <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? target.again : undefined} />
      )}
      <div class="row">
        <Button icon="refresh-cw" isBusy={write.isSending || target.isReading} onClick={() => void rotate()}>
          {t.rotate}
        </Button>
      </div>
    </section>
  );
}
