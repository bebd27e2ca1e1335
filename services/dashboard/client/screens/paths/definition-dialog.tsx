/** The dialog that makes a goal or a funnel, or changes one: it sends what its fields hold, and of a change only what differs. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { differing } from '../../api/differing.ts';
import { useWrite, type Write } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import type { DialogOf } from './definition-acts.tsx';
import { type Kinds, pathOf } from './kinds.ts';
import { pathsTexts } from './texts.ts';

type Fields = Record<string, unknown>;

interface DefinitionDialogProps<Kind extends keyof Kinds, Draft extends { readonly name: string }>
  extends DialogOf<Kind> {
  readonly kind: Kind;
  readonly title: string;
  /** What makes it. */
  readonly makeIt: string;
  /** As the fields are at first. */
  readonly begin: Draft;
  /** What the API is told of it. */
  readonly bodyOf: (draft: Draft) => Fields;
  /** The fields below the name. */
  readonly children: (
    draft: Draft,
    edit: (change: Partial<Draft>) => void,
    faultOf: Write['faultOf'],
  ) => ComponentChildren;
}

export function DefinitionDialog<Kind extends keyof Kinds, Draft extends { readonly name: string }>(
  props: DefinitionDialogProps<Kind, Draft>,
) {
  const { kind, websiteId, one, begin, bodyOf, onClose, onDone } = props;
  const [p, w] = [pathsTexts.value, texts.value.words];
  const [draft, setDraft] = useState(begin);
  /** The draft that changes nothing. */
  const [idle, setIdle] = useState<Draft>();
  const write = useWrite();
  const edit = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  async function save(): Promise<void> {
    const body = bodyOf(draft);
    const changes = one === null ? { websiteId, ...body } : differing(bodyOf(begin), body);
    if (changes === null) return setIdle(draft);
    const answer = await write.send<{ data: Kinds[Kind] }>(
      one === null
        ? { method: 'POST', path: `/v1/${kind}`, body: changes }
        : { method: 'PATCH', path: pathOf(kind, one.id), body: changes },
    );
    if (!answer?.ok) return;
    const { data } = answer.body;
    onDone(one === null ? p.made(data.name) : p.changed(data.name), data);
  }
  return (
    <Dialog title={props.title} onClose={onClose}>
      <Form onSubmit={() => void save()} fault={write.fault}>
        <Field
          label={w.name}
          name="name"
          value={draft.name}
          onInput={(name) => edit({ name } as Partial<Draft>)}
          maxLength={100}
          isRequired
          fault={write.faultOf('name')}
        />
        {props.children(draft, edit, write.faultOf)}
        {write.fault && <FaultNotice fault={write.fault} />}
        {idle === draft && <Notice kind="good">{p.unchanged}</Notice>}
        <div class="row">
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {one === null ? props.makeIt : w.save}
          </Button>
          <Button onClick={onClose}>{w.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
