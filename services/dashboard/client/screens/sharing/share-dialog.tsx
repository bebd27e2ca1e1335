/** Makes a share, or changes one: what it shows, of which range, to whom, until when, and where. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { call } from '../../api/call.ts';
import { useWrite } from '../../api/use-write.ts';
import type { ShareView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Check } from '../../design/check.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { worded } from '../../texts/worded.ts';
import {
  bodyOf,
  changesOf,
  type Draft,
  draftOf,
  type Faults,
  faultsOf,
  NEW,
  refusedDatasets,
} from './draft.ts';
import { RangeField } from './range-field.tsx';
import { ShownFields } from './shown-fields.tsx';
import { sharingTexts } from './texts.ts';
import { useShownView } from './use-shown-view.ts';

interface ShareDialogProps {
  readonly websiteId: string;
  /** The share that is changed; null for a new one. */
  readonly share: ShareView | null;
  readonly onClose: () => void;
  /** It is done; `said` tells it in a sentence, and `made` is a new share. */
  readonly onDone: (said: string, made?: ShareView) => void;
}

type Sent = Answer<{ data: ShareView }>;

export function ShareDialog({ websiteId, share, onClose, onDone }: ShareDialogProps) {
  const t = sharingTexts.value;
  const zone = timezone.value;
  const [draft, setDraft] = useState<Draft>(() => (share === null ? NEW : draftOf(share, zone)));
  const [missing, setMissing] = useState<Faults>({});
  const [isUnchanged, setUnchanged] = useState(false);
  const write = useWrite();
  const view = useShownView(websiteId);
  const edit = (change: Partial<Draft>) => {
    setUnchanged(false);
    setDraft((before) => ({ ...before, ...change }));
  };
  const [sent, setSent] = useState(draft);
  const refused = refusedDatasets(sent, write.fault?.details ?? []);
  const saidOf = (message: string | undefined) => message && worded(message);
  const faultOf = (field: keyof Faults) => {
    const name = missing[field];
    if (name !== undefined) return t[name];
    return field === 'datasets' ? saidOf(refused.datasets) : write.faultOf(field);
  };
  const close = () => {
    view.drop();
    onClose();
  };
  async function save(): Promise<void> {
    const faults = faultsOf(draft, share, zone, Date.now());
    setMissing(faults);
    if (Object.keys(faults).length > 0) return;
    const isOther = share === null || draft.shown !== `view:${share.view}`;
    const fields = share === null ? { websiteId, ...bodyOf(draft, zone) } : changesOf(draft, share, zone);
    if (!isOther && Object.keys(fields).length === 0) return setUnchanged(true);
    setSent(draft);
    const answer = await write.send(async (): Promise<Sent> => {
      const shown = isOther ? await view.idOf(draft.shown, draft.name) : null;
      if (shown?.ok === false) return shown;
      const body = shown === null ? fields : { ...fields, view: shown.body };
      return share === null
        ? call({ method: 'POST', path: '/v1/shares', body })
        : call({ method: 'PATCH', path: `/v1/shares/${encodeURIComponent(share.id)}`, body });
    });
    if (!answer?.ok) return;
    view.keep();
    const { data } = answer.body;
    onDone(share === null ? t.made(data.name) : t.changed(data.name), share === null ? data : undefined);
  }
  return (
    <Dialog title={share === null ? t.makeTitle : t.changeTitle} onClose={close}>
      <Form onSubmit={() => void save()} fault={write.fault}>
        <Field
          label={texts.value.words.name}
          name="name"
          value={draft.name}
          onInput={(name) => edit({ name })}
          hint={t.nameHint}
          fault={faultOf('name')}
          maxLength={100}
        />
        <RangeField
          websiteId={websiteId}
          own={share?.view}
          value={draft.shown}
          onInput={(shown) => edit({ shown })}
          fault={write.faultOf('view')}
        />
        <ShownFields
          draft={draft}
          onEdit={edit}
          fault={faultOf('datasets')}
          furtherFault={saidOf(refused.further)}
        />
        <Access draft={draft} isKept={share?.hasPassword === true} onEdit={edit} faultOf={faultOf} />
        <Field
          label={t.origins}
          name="origins"
          value={draft.origins}
          onInput={(origins) => edit({ origins })}
          hint={t.originsHint}
          fault={write.faultOf('origins')}
          lines={3}
          isOptional
        />
        {write.fault && <FaultNotice fault={write.fault} />}
        {isUnchanged && <Notice kind="good">{t.unchanged}</Notice>}
        <div class="row">
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {share === null ? t.makeIt : texts.value.words.save}
          </Button>
          <Button onClick={close}>{texts.value.words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface AccessProps {
  readonly draft: Draft;
  /** Whether there is a password that stays when no other is typed. */
  readonly isKept: boolean;
  readonly onEdit: (change: Partial<Draft>) => void;
  readonly faultOf: (field: keyof Faults) => ReturnType<ReturnType<typeof useWrite>['faultOf']>;
}

function Access({ draft, isKept, onEdit, faultOf }: AccessProps) {
  const t = sharingTexts.value;
  return (
    <>
      <Check
        label={t.isLocked}
        isChecked={draft.isLocked}
        onChange={(isLocked) => onEdit({ isLocked, password: '' })}
      />
      {draft.isLocked && (
        <Field
          label={t.password}
          name="password"
          type="password"
          autoComplete="new-password"
          value={draft.password}
          onInput={(password) => onEdit({ password })}
          hint={isKept ? `${t.passwordHint} ${t.passwordKept}` : t.passwordHint}
          fault={faultOf('password')}
          maxLength={256}
          isOptional={isKept}
        />
      )}
      <Field
        label={t.lastDay}
        name="expiresAt"
        type="date"
        value={draft.lastDay}
        onInput={(lastDay) => onEdit({ lastDay })}
        hint={t.lastDayHint(timezone.value)}
        fault={faultOf('expiresAt')}
        isOptional
      />
    </>
  );
}
