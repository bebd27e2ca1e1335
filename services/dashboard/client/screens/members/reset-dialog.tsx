/** Makes a link with which a member chooses a new password; it is shown this once. */
import { useState } from 'preact/hooks';
import { HOME, ownOrigin } from '../../address.ts';
import { manages } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/copy.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { type ActProps, nameOf } from './act.ts';
import { OneTimeLink } from './one-time-link.tsx';
import { membersTexts } from './texts.ts';

interface ResetToken {
  readonly token: string;
  readonly expiresAt: string;
}

export function ResetDialog({ member, onClose }: ActProps) {
  const t = membersTexts.value;
  const [made, setMade] = useState<ResetToken | null>(null);
  const write = useWrite();
  async function make(): Promise<void> {
    const path = `/v1/members/${member.id}/reset`;
    const answer = await write.send<{ data: ResetToken }>({ method: 'POST', path });
    if (answer?.ok) setMade(answer.body.data);
  }
  if (made !== null) {
    return (
      <Dialog title={t.resetLinkTitle} onClose={onClose}>
        <OneTimeLink
          who={member.email}
          link={`${ownOrigin()}${HOME}/reset#${made.token}`}
          expiresAt={made.expiresAt}
          onDone={onClose}
        />
      </Dialog>
    );
  }
  const isRefused = write.fault?.code === 'ACCESS_DENIED' && manages.value;
  return (
    <Dialog title={t.resetTitle} onClose={onClose}>
      <p>
        <strong>
          <bdi>{nameOf(member)}</bdi>
        </strong>
      </p>
      <p>{t.resetHint}</p>
      {isRefused && (
        <Notice kind="bad">
          <strong>{t.resetRefused}</strong>
          <p>{t.resetRefusedHint}</p>
          <Copy text={`npx tidegate users reset-password ${member.userId}`} label={t.reset} />
        </Notice>
      )}
      {write.fault && !isRefused && <FaultNotice fault={write.fault} />}
      <div class="row">
        <Button kind="primary" isBusy={write.isSending} onClick={() => void make()}>
          {t.resetMake}
        </Button>
        <Button onClick={onClose}>{texts.value.words.cancel}</Button>
      </div>
    </Dialog>
  );
}
