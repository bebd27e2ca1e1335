/** Invites an address to a role; the link of the invitation is shown this once. */
import { useState } from 'preact/hooks';
import { HOME, ownOrigin } from '../../address.ts';
import { useWrite } from '../../api/use-write.ts';
import type { MemberView, Role } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { OneTimeLink } from './one-time-link.tsx';
import { RoleChoice } from './role-choice.tsx';
import { membersTexts } from './texts.ts';

interface InviteDialogProps {
  readonly onClose: () => void;
  /** An invitation was made: the list is another one. */
  readonly onMade: () => void;
}

export function InviteDialog({ onClose, onMade }: InviteDialogProps) {
  const t = texts.value;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [made, setMade] = useState<(MemberView & { token: string }) | null>(null);
  const write = useWrite();
  async function send(): Promise<void> {
    const body = { email: email.trim(), role };
    const answer = await write.send<{ data: MemberView & { token: string } }>({
      method: 'POST',
      path: '/v1/members',
      body,
    });
    if (!answer?.ok) return;
    setMade(answer.body.data);
    onMade();
  }
  if (made !== null) {
    return (
      <Dialog title={membersTexts.value.inviteLinkTitle} onClose={onClose}>
        <OneTimeLink
          who={made.email}
          link={`${ownOrigin()}${HOME}/accept#${made.token}`}
          expiresAt={made.expiresAt ?? ''}
          onDone={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={membersTexts.value.inviteTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {write.fault && <FaultNotice fault={write.fault} />}
        <Field
          label={t.words.email}
          type="email"
          value={email}
          onInput={setEmail}
          hint={membersTexts.value.emailHint}
          fault={write.faultOf('email')}
          maxLength={254}
          isRequired
          autoFocus
        />
        <RoleChoice role={role} onChange={setRole} fault={write.faultOf('role')} />
        <div class="row">
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {membersTexts.value.inviteMake}
          </Button>
          <Button onClick={onClose}>{t.words.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
