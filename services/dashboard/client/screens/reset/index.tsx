/** A one-time link to a new password: its token stands behind the `#`, and is gone from the address at once. */
import { useState } from 'preact/hooks';
import { HOME, takeFragment } from '../../address.ts';
import { callOnce } from '../../api/call.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Entrance } from '../../frame/entrance.tsx';
import { NewPassword } from '../../frame/new-password.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';

export function Reset() {
  const t = texts.value;
  const [token] = useState(takeFragment);
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const write = useWrite();
  async function set(): Promise<void> {
    const body = { token, password };
    const answer = await write.send(() => callOnce({ method: 'POST', path: '/v1/auth/reset', body }));
    setPassword('');
    if (answer?.ok) setDone(true);
  }
  const isRefused = write.fault?.status === 401 || write.fault?.status === 404;
  return (
    <Entrance>
      <PageHead title={t.entering.reset.title} lead={isDone ? undefined : t.entering.reset.lead} />
      {token === '' && <Notice kind="bad">{t.entering.reset.noToken}</Notice>}
      {isDone && (
        <>
          <Notice kind="good">{t.entering.reset.done}</Notice>
          <Button kind="primary" href={`${HOME}/login`}>
            {t.entering.logIn}
          </Button>
        </>
      )}
      {isRefused && <Notice kind="bad">{t.entering.reset.refused}</Notice>}
      {write.fault && !isRefused && <FaultNotice fault={write.fault} />}
      {token !== '' && !isDone && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void set();
          }}
        >
          <NewPassword value={password} onInput={setPassword} fault={write.faultOf('password')} />
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {t.entering.reset.set}
          </Button>
        </form>
      )}
    </Entrance>
  );
}
