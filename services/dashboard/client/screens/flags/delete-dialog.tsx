/** Asks before a flag or a target group is deleted, which has no way back: its name is to be typed. */
import { useState } from 'preact/hooks';
import { useLeft } from '../../api/use-left.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { isTyped, nameToType } from '../../design/typed-name.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { flagTexts } from './texts.ts';
import { tell } from './told.tsx';

interface DeleteDialogProps {
  readonly title: string;
  readonly lead: string;
  /** What is to be typed, and what stands for it where it has nothing that can be seen. */
  readonly of: { readonly id: string; readonly name: string };
  readonly path: string;
  /** Its version: what somebody else has changed meanwhile is not deleted unseen. */
  readonly etag: string | null;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
  /** Loads the version that there is now. */
  readonly onReload: () => void;
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { title, lead, of, path, etag, onClose, onDeleted, onReload } = props;
  const t = flagTexts.value;
  const { remove: act, cancel } = texts.value.words;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const write = useWrite();
  const isLeft = useLeft();
  async function remove(): Promise<void> {
    setWrong(!isTyped(typed, of));
    if (!isTyped(typed, of)) return;
    const answer = await write.send({ method: 'DELETE', path, ifMatch: etag ?? undefined });
    if (!answer?.ok || isLeft()) return;
    tell(t.deleted(nameToType(of)));
    onDeleted();
  }
  const reload = () => {
    write.forget();
    onReload();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{lead}</p>
      <Form onSubmit={() => void remove()} fault={write.fault}>
        {write.fault && (
          <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? reload : undefined} />
        )}
        <p>
          <strong class="mono">
            <bdi>{nameToType(of)}</bdi>
          </strong>
        </p>
        <Field
          label={t.typeIt}
          value={typed}
          onInput={setTyped}
          fault={isWrong ? t.typeItWrong : undefined}
          autoFocus
        />
        <div class="row">
          <Button kind="danger" icon="trash-2" type="submit" isBusy={write.isSending}>
            {act}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
