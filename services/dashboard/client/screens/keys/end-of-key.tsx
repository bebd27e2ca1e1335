/** Disables a key for a while, or revokes it for ever; what has no way back asks for the key's name. */
import { useState } from 'preact/hooks';
import { useWrite } from '../../api/use-write.ts';
import type { ApiKeyView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { TypedQuestion } from '../../states/typed-question.tsx';
import { type KeyTarget, pathOf } from './key-target.ts';
import { keysTexts } from './texts.ts';

interface EndOfKeyProps {
  readonly of: ApiKeyView;
  readonly target: KeyTarget;
}

export function EndOfKey({ of: key, target }: EndOfKeyProps) {
  const t = keysTexts.value;
  const [isRevoking, setRevoking] = useState(false);
  const write = useWrite();
  async function turn(): Promise<void> {
    const answer = await write.send({
      method: 'PATCH',
      path: pathOf(target),
      body: { enabled: !key.enabled },
      ifMatch: target.etag ?? undefined,
    });
    if (answer?.ok) target.again();
  }
  return (
    <section class="card stack key-form">
      <h2>{t.disableTitle}</h2>
      {write.fault && (
        <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? target.again : undefined} />
      )}
      <div class="row">
        <Button isBusy={write.isSending || target.isReading} onClick={() => void turn()}>
          {key.enabled ? t.disable : t.enable}
        </Button>
        <span class="hint">{t.disableHint}</span>
      </div>
      <div class="row">
        <Button kind="danger" icon="trash-2" onClick={() => setRevoking(true)}>
          {t.revoke}
        </Button>
        <span class="hint">{t.revokeHint}</span>
      </div>
      {isRevoking && <Revoke of={key} target={target} onClose={() => setRevoking(false)} />}
    </section>
  );
}

function Revoke({ of: key, target, onClose }: EndOfKeyProps & { onClose: () => void }) {
  const t = keysTexts.value;
  return (
    <TypedQuestion
      title={t.revokeTitle}
      of={key}
      words={{ typed: t.typeName, wrong: t.typeNameWrong, submit: t.revoke }}
      request={{ method: 'POST', path: pathOf(target, 'revoke'), ifMatch: target.etag ?? undefined }}
      onDone={() => {
        onClose();
        target.again();
      }}
      onClose={onClose}
      onReload={target.again}
    >
      <p>{t.revokeText}</p>
    </TypedQuestion>
  );
}
