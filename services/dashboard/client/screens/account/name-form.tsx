/** What others see of the user. */
import { useState } from 'preact/hooks';
import { rereadSession, session } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Said } from '../../states/said.tsx';
import { texts } from '../../texts/texts.ts';
import { accountTexts } from './texts.ts';

export function NameForm() {
  const t = texts.value;
  const [name, setName] = useState(session.value?.user.name ?? '');
  const [said, say] = useState('');
  const write = useWrite();
  async function send(): Promise<void> {
    say('');
    const body = { name: name.trim() };
    const answer = await write.send({ method: 'PATCH', path: '/v1/auth/user', body });
    if (!answer?.ok) return;
    await rereadSession();
    say(accountTexts.value.nameSaved);
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Said text={said} />
      {write.fault && <FaultNotice fault={write.fault} />}
      <Field
        label={t.words.name}
        value={name}
        onInput={setName}
        hint={accountTexts.value.nameHint}
        maxLength={100}
        autoComplete="name"
        fault={write.faultOf('name')}
        isRequired
      />
      <div class="row">
        <Button kind="primary" type="submit" isBusy={write.isSending}>
          {t.words.save}
        </Button>
      </div>
    </form>
  );
}
