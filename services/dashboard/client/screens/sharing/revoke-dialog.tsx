/** Takes a share back once it was confirmed. */
import { useWrite } from '../../api/use-write.ts';
import type { ShareView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { sharingTexts } from './texts.ts';

interface RevokeDialogProps {
  readonly share: ShareView;
  readonly onClose: () => void;
  /** It is done; `said` tells it in a sentence. */
  readonly onDone: (said: string) => void;
}

export function RevokeDialog({ share: { id, name }, onClose, onDone }: RevokeDialogProps) {
  const t = sharingTexts.value;
  const write = useWrite();
  async function revoke(): Promise<void> {
    const answer = await write.send({ method: 'DELETE', path: `/v1/shares/${encodeURIComponent(id)}` });
    // What somebody else revoked in the meantime is gone all the same.
    if (answer !== null && (answer.ok || answer.fault.kind === 'missing')) onDone(t.revoked(name));
  }
  return (
    <Dialog title={t.revokeTitle} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      <p>{t.revokeHint}</p>
      {write.fault && <FaultNotice fault={write.fault} />}
      <div class="row">
        <Button kind="danger" icon="trash-2" isBusy={write.isSending} onClick={() => void revoke()}>
          {t.revoke}
        </Button>
        <Button onClick={onClose}>{texts.value.words.cancel}</Button>
      </div>
    </Dialog>
  );
}
