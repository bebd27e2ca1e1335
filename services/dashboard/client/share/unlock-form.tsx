/** Asks for the password of a share. */
import { useState } from 'preact/hooks';
import { reload } from '../address.ts';
import type { Answer } from '../api/answer.ts';
import type { Fault } from '../api/fault.ts';
import { sendOnce } from '../api/send.ts';
import { Button } from '../design/button.tsx';
import { Field } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { FaultNotice } from '../states/fault-notice.tsx';
import { texts } from '../texts/texts.ts';
import { shareTexts } from './share-texts.ts';
import type { Unlocked } from './ticket.ts';

interface UnlockFormProps {
  readonly token: string;
  /** Whether it was unlocked before, and counts no more. */
  readonly isOver: boolean;
  readonly onUnlocked: (unlocked: Unlocked) => void;
  readonly onGone: () => void;
}

const CONFLICT = 409;

export function UnlockForm({ token, isOver, onUnlocked, onGone }: UnlockFormProps) {
  const t = shareTexts.value;
  const [password, setPassword] = useState('');
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<Fault>();
  async function unlock(): Promise<void> {
    if (isSending) return;
    setSending(true);
    setFault(undefined);
    const answer: Answer<{ data: Unlocked }> = await sendOnce(
      { method: 'POST', path: `/public/v1/shares/${token}/unlock`, body: { password } },
      { credentials: 'omit', headers: {} },
    );
    setSending(false);
    if (answer.ok) return onUnlocked(answer.body.data);
    if (answer.fault.kind === 'missing') return onGone();
    // Its password was taken away: the page that shows it is another document.
    if (answer.fault.status === CONFLICT) return reload();
    setFault(answer.fault);
  }
  const isWrong = fault !== undefined && ['over', 'invalid'].includes(fault.kind);
  return (
    <main class="entrance" id="content">
      <div class="card stack">
        <h1>{t.locked}</h1>
        {isOver && !fault && <Notice>{t.over}</Notice>}
        {fault && !isWrong && <FaultNotice fault={fault} />}
        <Form onSubmit={() => void unlock()} fault={fault}>
          <Field
            label={t.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onInput={setPassword}
            fault={isWrong ? t.wrong : undefined}
            maxLength={256}
            isRequired
          />
          <Button kind="primary" type="submit" isBusy={isSending}>
            {t.unlock}
          </Button>
        </Form>
      </div>
      <p class="brand">{texts.value.words.product}</p>
    </main>
  );
}
