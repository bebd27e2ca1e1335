/** Removes a member, or withdraws an invitation, once it was confirmed. */
import { HOME, useAddress } from '../../address.ts';
import { logOut } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { texts } from '../../texts/texts.ts';
import { type ActProps, isSelf, nameOf } from './act.ts';
import { MemberFault } from './member-fault.tsx';
import { membersTexts } from './texts.ts';

export function RemoveDialog({ member, onClose, onDone }: ActProps) {
  const t = membersTexts.value;
  const { go } = useAddress();
  const write = useWrite();
  const isInvitation = member.status === 'invited';
  async function remove(): Promise<void> {
    const answer = await write.send({ method: 'DELETE', path: `/v1/members/${member.id}` });
    // What somebody else removed in the meantime is gone all the same.
    if (answer === null || !(answer.ok || answer.fault.kind === 'missing')) return;
    if (isSelf(member)) {
      await logOut();
      return go(`${HOME}/login`);
    }
    onDone(isInvitation ? t.withdrawn(member.email) : t.removed(nameOf(member)));
  }
  return (
    <Dialog title={isInvitation ? t.withdrawTitle : t.removeTitle} onClose={onClose}>
      <p>
        <strong>
          <bdi>{nameOf(member)}</bdi>
        </strong>{' '}
        {member.name !== null && <bdi class="soft">{member.email}</bdi>}
      </p>
      {isSelf(member) ? (
        <Notice kind="warn">{t.removeSelf}</Notice>
      ) : (
        <p>{isInvitation ? t.withdrawHint : t.removeHint}</p>
      )}
      {write.fault && <MemberFault fault={write.fault} member={member} />}
      <div class="row">
        <Button kind="danger" icon="trash-2" isBusy={write.isSending} onClick={() => void remove()}>
          {isInvitation ? t.withdraw : t.remove}
        </Button>
        <Button onClick={onClose}>{texts.value.words.cancel}</Button>
      </div>
    </Dialog>
  );
}
