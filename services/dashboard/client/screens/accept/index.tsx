/** An invitation: its token stands behind the `#` of the link, and is gone from the address at once. */
import { useState } from 'preact/hooks';
import { HOME, takeFragment, useAddress } from '../../address.ts';
import { acceptInvitation, session } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { useWrite } from '../../api/use-write.ts';
import type { InvitationView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Entrance } from '../../frame/entrance.tsx';
import { NewPassword } from '../../frame/new-password.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Skeleton } from '../../states/skeleton.tsx';
import { texts } from '../../texts/texts.ts';
import { LoginForm } from '../login/login-form.tsx';
import { belongsTo, waysIn } from './ways.ts';

export function Accept() {
  const t = texts.value;
  const { go } = useAddress();
  const [token] = useState(takeFragment);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const write = useWrite();
  const user = session.value?.user;
  const [wish, setWish] = useState<'account' | 'login' | null>(null);
  const read = useRead<InvitationView>(
    token === '' ? null : { method: 'POST', path: '/v1/auth/invitation', body: { token } },
  );
  const invitation = read.data?.data;
  const { open, others, problem } = waysIn(belongsTo(user, invitation), wish, write.fault);
  async function join(asNew: boolean): Promise<void> {
    const body = asNew ? { token, name, password } : { token };
    const answer = await write.send(() => acceptInvitation(body));
    if (answer?.ok) go(HOME, {}, true);
  }
  const turnTo = (next: typeof wish): void => {
    write.forget();
    setWish(next);
  };
  if (token === '' || read.fault?.status === 404) {
    return (
      <Entrance>
        <PageHead title={t.entering.accept.title} />
        <Notice kind="bad">{token === '' ? t.entering.accept.noToken : t.entering.accept.refused}</Notice>
      </Entrance>
    );
  }
  const isStranger = user !== undefined && invitation !== undefined && open !== 'session';
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
      {read.isLoading && invitation === undefined && <Skeleton lines={3} />}
      {read.fault && <FaultNotice fault={read.fault} repeatsAt={read.repeatsAt} again={read.again} />}
      {invitation && <InvitationFacts of={invitation} />}
      {isStranger && (
        <Notice kind="warn">
          <bdi>{t.entering.accept.otherSession(user.email)}</bdi>
        </Notice>
      )}
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

function InvitationFacts({ of: { organization, role, email } }: { of: InvitationView['data'] }) {
  const t = texts.value;
  return (
    <dl class="facts">
      <dt>{t.organization.title}</dt>
      <dd>
        <bdi>{organization.name}</bdi>
      </dd>
      <dt>{t.words.role}</dt>
      <dd>{t.words.roles[role]}</dd>
      <dt>{t.words.email}</dt>
      <dd>
        <bdi>{email}</bdi>
      </dd>
    </dl>
  );
}
