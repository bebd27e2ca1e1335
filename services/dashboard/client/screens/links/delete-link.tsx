/** The end of a link: what goes with it, and its name to be typed. */
import { useState } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import { useLeft } from '../../api/use-left.ts';
import type { Read } from '../../api/use-read.ts';
import { useWrite } from '../../api/use-write.ts';
import type { LinkView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { isTyped, nameToType } from '../../design/typed-name.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { tellDeleted } from '../websites/deleted.ts';
import type { LinkAnswer } from './known-link.ts';
import { pathOf } from './questions.ts';
import { linkTexts } from './texts.ts';

interface DeleteLinkProps {
  readonly link: LinkView;
  /** Its version: what somebody else has changed meanwhile is not deleted unseen. */
  readonly read: Read<LinkAnswer>;
}

export function DeleteLink(props: DeleteLinkProps) {
  const t = linkTexts.value.remove;
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card stack website-settings">
      <h2>{texts.value.words.remove}</h2>
      <p>{t.lead}</p>
      <div class="row">
        <Button kind="danger" icon="trash-2" onClick={() => setOpen(true)}>
          {t.open}
        </Button>
      </div>
      {isOpen && <Question {...props} onClose={() => setOpen(false)} />}
    </section>
  );
}

function Question({ link, read, onClose }: DeleteLinkProps & { readonly onClose: () => void }) {
  const t = linkTexts.value.remove;
  const { type, wrong } = texts.value.website.remove;
  const { go } = useAddress();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const write = useWrite();
  const isLeft = useLeft();
  async function remove(): Promise<void> {
    setWrong(!isTyped(typed, link));
    if (!isTyped(typed, link)) return;
    const ifMatch = read.etag ?? undefined;
    const answer = await write.send({ method: 'DELETE', path: pathOf(link.id), ifMatch });
    if (!answer?.ok) return;
    tellDeleted('link');
    if (!isLeft()) go(`${HOME}/links`, {}, true);
  }
  const reload = () => {
    write.forget();
    read.again();
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p>{t.lead}</p>
      <Form onSubmit={() => void remove()} fault={write.fault}>
        {write.fault && (
          <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? reload : undefined} />
        )}
        <p>
          {type}{' '}
          <strong class="mono">
            <bdi>{nameToType(link)}</bdi>
          </strong>
        </p>
        <Field
          label={t.typed}
          value={typed}
          onInput={(value) => {
            setTyped(value);
            setWrong(false);
          }}
          fault={isWrong ? wrong : undefined}
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
