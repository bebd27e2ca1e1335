/** A new password for the old one; all other sessions of the user end. */
import { useState } from 'preact/hooks';
import { changePassword, session } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { NewPassword } from '../../frame/new-password.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Said } from '../../states/said.tsx';
import { accountTexts } from './texts.ts';

export function PasswordForm() {
  const t = accountTexts.value;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [said, say] = useState('');
  const write = useWrite();
  async function send(): Promise<void> {
    say('');
    const answer = await write.send(() => changePassword({ current, new: next }));
    if (!answer?.ok) return setCurrent('');
    setCurrent('');
    setNext('');
    say(t.passwordSaved);
  }
  const isWrong = write.fault?.status === 401;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p class="hint">{t.passwordLead}</p>
      <Said text={said} />
      {write.fault?.kind === 'limit' && <Notice kind="warn">{t.tooMany}</Notice>}
      {write.fault && !isWrong && write.fault.kind !== 'limit' && <FaultNotice fault={write.fault} />}
      {/* For password managers: whose password it is. */}
      <input type="text" autocomplete="username" value={session.value?.user.email} readOnly hidden />
      <Field
        label={t.current}
        type="password"
        value={current}
        onInput={setCurrent}
        autoComplete="current-password"
        fault={isWrong ? t.wrong : write.faultOf('current')}
        isRequired
      />
      <NewPassword label={t.next} value={next} onInput={setNext} fault={write.faultOf('new')} />
      <div class="row">
        <Button kind="primary" type="submit" isBusy={write.isSending}>
          {t.change}
        </Button>
      </div>
    </form>
  );
}
