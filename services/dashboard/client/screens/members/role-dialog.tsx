/** Gives a member another role; that an owner stays is the API's to decide, and is explained here. */
import { useState } from 'preact/hooks';
import { rereadSession } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import type { Role } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { texts } from '../../texts/texts.ts';
import { type ActProps, isSelf, nameOf } from './act.ts';
import { MemberFault } from './member-fault.tsx';
import { RoleChoice } from './role-choice.tsx';
import { membersTexts } from './texts.ts';

export function RoleDialog({ member, onClose, onDone }: ActProps) {
  const t = texts.value;
  const [role, setRole] = useState<Role>(member.role);
  const write = useWrite();
  async function save(): Promise<void> {
    if (role === member.role) return onClose();
    const path = `/v1/members/${member.id}`;
    const answer = await write.send({ method: 'PATCH', path, body: { role } });
    if (!answer?.ok) return;
    onDone(membersTexts.value.changed(nameOf(member), t.words.roles[role]));
    if (isSelf(member)) await rereadSession();
  }
  return (
    <Dialog title={membersTexts.value.changeRoleOf(nameOf(member))} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {isSelf(member) && <Notice kind="warn">{membersTexts.value.changeSelf}</Notice>}
        {write.fault && <MemberFault fault={write.fault} member={member} />}
        <RoleChoice role={role} onChange={setRole} fault={write.faultOf('role')} />
        <div class="row">
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {t.words.save}
          </Button>
          <Button onClick={onClose}>{t.words.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
