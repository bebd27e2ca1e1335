/** Disables a key for a while, or revokes it for ever; what has no way back asks for the key's name. */
import { useState } from 'preact/hooks';
import { useWrite } from '../../api/use-write.ts';
import type { ApiKeyView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { isTyped, nameToType } from '../../design/typed-name.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { type KeyTarget, pathOf } from './key-target.ts';
import { keysTexts } from './texts/keys-texts.ts';

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
  const t = texts.value;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const write = useWrite();
  async function revoke(): Promise<void> {
    setWrong(!isTyped(typed, key));
    if (!isTyped(typed, key)) return;
    const answer = await write.send({
      method: 'POST',
      path: pathOf(target, 'revoke'),
      ifMatch: target.etag ?? undefined,
    });
    if (!answer?.ok) return;
    onClose();
    target.again();
  }
  return (
    <Dialog title={keysTexts.value.revokeTitle} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void revoke();
        }}
      >
        <p>
          <strong class="mono">
            <bdi>{nameToType(key)}</bdi>
          </strong>
        </p>
        <p>{keysTexts.value.revokeText}</p>
        <Field
          label={keysTexts.value.typeName}
          value={typed}
          onInput={setTyped}
          fault={isWrong ? keysTexts.value.typeNameWrong : undefined}
          autoFocus
        />
        {write.fault && (
          <FaultNotice
            fault={write.fault}
            again={
              write.fault.kind === 'changed'
                ? () => {
                    write.forget();
                    target.again();
                  }
                : undefined
            }
          />
        )}
        <div class="row">
          <Button kind="danger" type="submit" isBusy={write.isSending}>
            {keysTexts.value.revoke}
          </Button>
          <Button onClick={onClose}>{t.words.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
