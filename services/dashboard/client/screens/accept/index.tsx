/** An invitation: its token stands behind the `#` of the link, and is gone from the address at once. */
import { useState } from 'preact/hooks';
import { HOME, takeFragment, useAddress } from '../../address.ts';
import { acceptInvitation, session } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Entrance } from '../../frame/entrance.tsx';
import { NewPassword } from '../../frame/new-password.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { LoginForm } from '../login/login-form.tsx';
import { waysIn } from './ways.ts';

export function Accept() {
  const t = texts.value;
  const { go } = useAddress();
  const [token] = useState(takeFragment);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const write = useWrite();
  const user = session.value?.user;
  const [wish, setWish] = useState<'account' | 'login' | null>(null);
  const { open, others, problem } = waysIn(user !== undefined, wish, write.fault);
  async function join(asNew: boolean): Promise<void> {
    const body = asNew ? { token, name, password } : { token };
    const answer = await write.send(() => acceptInvitation(body));
    if (answer?.ok) go(HOME, {}, true);
  }
  const turnTo = (next: typeof wish): void => {
    write.forget();
    setWish(next);
  };
  if (token === '') {
    return (
      <Entrance>
        <PageHead title={t.entering.accept.title} />
        <Notice kind="bad">{t.entering.accept.noToken}</Notice>
      </Entrance>
    );
  }
  return (
    <Entrance>
      <PageHead
        title={t.entering.accept.title}
        lead={
          open === 'session' && user ? (
            <bdi>{t.entering.accept.leadAs(user.email)}</bdi>
          ) : (
            t.entering.accept.lead
          )
        }
      />
      {problem === 'refused' && <Notice kind="bad">{t.entering.accept.refused}</Notice>}
      {problem === 'otherAccount' && <Notice kind="bad">{t.entering.accept.otherAccount}</Notice>}
      {write.fault && problem === 'fault' && <FaultNotice fault={write.fault} />}
      {open === 'session' && (
        <Button kind="primary" isBusy={write.isSending} onClick={() => void join(false)}>
          {t.entering.accept.join}
        </Button>
      )}
      {open === 'login' && <LoginForm onEntered={() => turnTo(null)} />}
      {open === 'account' && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void join(true);
          }}
        >
          <Field
            label={t.words.name}
            value={name}
            onInput={setName}
            autoComplete="name"
            fault={write.faultOf('name')}
            isRequired
          />
          <NewPassword value={password} onInput={setPassword} fault={write.faultOf('password')} />
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {t.entering.accept.joinNew}
          </Button>
        </form>
      )}
      {others.includes('login') && (
        <Button kind="plain" onClick={() => turnTo('login')}>
          {t.entering.accept.haveAccount}
        </Button>
      )}
      {others.includes('account') && (
        <Button kind="plain" onClick={() => turnTo('account')}>
          {t.entering.accept.haveNone}
        </Button>
      )}
    </Entrance>
  );
}
