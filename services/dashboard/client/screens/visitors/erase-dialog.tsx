/** Asks before a visitor or a person is erased: what goes and what stays, and the identifier to be typed. */
import { useState } from 'preact/hooks';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { visitorsTexts } from './texts.ts';

interface EraseDialogProps {
  readonly kind: 'visitor' | 'person';
  readonly id: string;
  readonly websiteId: string;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

/** The queries take every identifier, also one that no path can carry. */
const REQUESTS = {
  visitor: { path: '/v1/visitors', name: 'anonymous_id' },
  person: { path: '/v1/profiles', name: 'profile_id' },
} as const;

export function EraseDialog({ kind, id, websiteId, onClose, onErased }: EraseDialogProps) {
  const t = visitorsTexts.value.erase;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const write = useWrite();
  async function erase(): Promise<void> {
    setWrong(typed !== id);
    if (typed !== id) return;
    const { path, name } = REQUESTS[kind];
    const answer = await write.send({ method: 'DELETE', path, query: { [name]: id, website_id: websiteId } });
    if (answer?.ok) onErased();
  }
  return (
    <Dialog title={t[kind]} onClose={onClose}>
      <p>{t.effects[kind]}</p>
      <Form onSubmit={() => void erase()} fault={write.fault}>
        {write.fault && <FaultNotice fault={write.fault} />}
        <p>
          {t.type}{' '}
          <strong class="mono">
            <bdi>{id}</bdi>
          </strong>
        </p>
        <Field
          label={t.typed}
          value={typed}
          onInput={(value) => {
            setTyped(value);
            setWrong(false);
          }}
          fault={isWrong ? t.wrong : undefined}
          autoFocus
        />
        <div class="row">
          <Button kind="danger" icon="trash-2" type="submit" isBusy={write.isSending}>
            {t.submit}
          </Button>
          <Button onClick={onClose}>{texts.value.words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
