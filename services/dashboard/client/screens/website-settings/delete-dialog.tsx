/** Asks before a website is deleted: what goes with it, and its name to be typed. */
import { useState } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import { useLeft } from '../../api/use-left.ts';
import { useWrite } from '../../api/use-write.ts';
import type { WebsiteView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { isTyped, nameToType } from '../../design/typed-name.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { tellDeleted } from '../websites/deleted.ts';

interface DeleteDialogProps {
  readonly website: WebsiteView;
  /** Its version: what somebody else has changed meanwhile is not deleted unseen. */
  readonly etag: string | undefined;
  readonly onClose: () => void;
  /** Loads the version that there is now. */
  readonly onReload: () => void;
}

export function DeleteDialog({ website, etag, onClose, onReload }: DeleteDialogProps) {
  const t = texts.value;
  const { go } = useAddress();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const write = useWrite();
  const isLeft = useLeft();
  async function remove(): Promise<void> {
    setWrong(!isTyped(typed, website));
    if (!isTyped(typed, website)) return;
    const path = `/v1/websites/${encodeURIComponent(website.id)}`;
    const answer = await write.send({ method: 'DELETE', path, ifMatch: etag });
    if (!answer?.ok) return;
    tellDeleted('website');
    if (!isLeft()) go(HOME, {}, true);
  }
  const reload = () => {
    write.forget();
    onReload();
  };
  return (
    <Dialog title={t.website.remove.title} onClose={onClose}>
      <p>{t.website.remove.lead}</p>
      <ul>
        {t.website.remove.effects.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <Form onSubmit={() => void remove()} fault={write.fault}>
        {write.fault && (
          <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? reload : undefined} />
        )}
        <p>
          {t.website.remove.type}{' '}
          <strong class="mono">
            <bdi>{nameToType(website)}</bdi>
          </strong>
        </p>
        <Field
          label={t.website.remove.typed}
          value={typed}
          onInput={(value) => {
            setTyped(value);
            setWrong(false);
          }}
          fault={isWrong ? t.website.remove.wrong : undefined}
          autoFocus
        />
        <div class="row">
          <Button kind="danger" icon="trash-2" type="submit" isBusy={write.isSending}>
            {t.website.remove.submit}
          </Button>
          <Button onClick={onClose}>{t.words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
