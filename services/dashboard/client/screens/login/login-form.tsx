/** Email and password, on the login screen and over a page whose session ended. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { keepsCookies, ownOrigin } from '../../address.ts';
import type { Fault } from '../../api/fault.ts';
import { logIn, type Session } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';

interface LoginFormProps {
  /** Known already, over a page whose session ended. */
  readonly email?: string;
  /** The organization to act for; absent: that of the oldest membership. */
  readonly organizationId?: string;
  readonly onEntered: (session: Session) => void;
  /** Another act, beside the login. */
  readonly children?: ComponentChildren;
}

export function LoginForm({ email: known = '', organizationId, onEntered, children }: LoginFormProps) {
  const t = texts.value;
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const write = useWrite();
  async function submit(): Promise<void> {
    const answer = await write.send(() => logIn({ email: email.trim(), password, organizationId }));
    if (answer === null) return;
    setPassword('');
    if (answer.ok) onEntered(answer.body.data);
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {!keepsCookies() && (
        <Notice kind="warn">
          <strong>{t.entering.needsHttps}</strong>
          <p>{t.entering.needsHttpsHint}</p>
        </Notice>
      )}
      {write.fault && <LoginFault fault={write.fault} />}
      <Field
        label={t.words.email}
        type="email"
        name="email"
        value={email}
        onInput={setEmail}
        autoComplete="username"
        isRequired
        autoFocus={known === ''}
      />
      <Field
        label={t.words.password}
        type="password"
        name="password"
        value={password}
        onInput={setPassword}
        autoComplete="current-password"
        isRequired
      />
      <div class="row">
        <Button kind="primary" type="submit" isBusy={write.isSending}>
          {t.entering.logIn}
        </Button>
        {children}
      </div>
    </form>
  );
}

/** A refused login in the words of this form; everything else as everywhere. */
function LoginFault({ fault }: { fault: Fault }) {
  const t = texts.value.entering;
  if (fault.status === 401) return <Notice kind="bad">{t.wrong}</Notice>;
  if (fault.kind === 'limit') return <Notice kind="bad">{t.limit}</Notice>;
  if (fault.status === 503) return <Notice kind="bad">{t.busy}</Notice>;
  if (fault.kind === 'forbidden') {
    return (
      <Notice kind="bad">
        <strong>{t.foreign}</strong>
        <p>{t.foreignHint(ownOrigin())}</p>
      </Notice>
    );
  }
  return <FaultNotice fault={fault} />;
}
