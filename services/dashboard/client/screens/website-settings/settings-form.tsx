/** The settings of a website, each with what it does. What somebody else changed meanwhile is loaded under what was typed here. */
import { useState } from 'preact/hooks';
import { useWrite } from '../../api/use-write.ts';
import type { WebsiteView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Check } from '../../design/check.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { typedSince } from '../../design/typed-since.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { changesOf, type Draft, draftOf } from './draft.ts';

export interface Version {
  readonly website: WebsiteView;
  readonly etag: string | undefined;
}

interface SettingsFormProps {
  readonly version: Version;
  readonly onSaved: (version: Version) => void;
  /** Loads the version that there is now. */
  readonly onReload: () => void;
}

const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');

export function SettingsForm({ version: { website, etag }, onSaved, onReload }: SettingsFormProps) {
  const t = texts.value;
  const s = t.website.settings;
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const [outcome, setOutcome] = useState<string>();
  const write = useWrite();
  const draft: Draft = { ...draftOf(website), ...edits };
  function edit<Name extends keyof Draft>(name: Name) {
    return (value: Draft[Name]) => {
      setOutcome(undefined);
      setEdits((before) => ({ ...before, [name]: value }));
    };
  }
  async function save(): Promise<void> {
    const body = changesOf(website, draft);
    setOutcome(body === null ? s.unchanged : undefined);
    if (body === null) return;
    const path = `/v1/websites/${encodeURIComponent(website.id)}`;
    const answer = await write.send<{ data: WebsiteView }>({ method: 'PATCH', path, body, ifMatch: etag });
    if (!answer?.ok) return;
    setEdits((now) => typedSince(edits, now));
    setOutcome(t.states.saved);
    onSaved({ website: answer.body.data, etag: answer.etag ?? undefined });
  }
  const isChanged = write.fault?.kind === 'changed';
  const reload = () => {
    write.forget();
    setOutcome(s.reloaded);
    onReload();
  };
  const text = (name: 'name' | 'domain') => ({
    name,
    value: draft[name],
    onInput: edit(name),
    fault: write.faultOf(name),
  });
  const setting = (name: 'allowedOrigins' | 'timezone') => ({
    name,
    label: s[name],
    hint: s[`${name}Hint`],
    value: draft[name],
    onInput: edit(name),
    fault: write.faultOf(`settings.${name}`),
  });
  const tick = (name: 'keylessTracking' | 'honorPrivacySignals' | 'pageviewAliases' | 'isPublic') => ({
    label: s[name],
    hint: s[`${name}Hint`],
    isChecked: draft[name],
    onChange: edit(name),
  });
  return (
    <div class="card">
      <Form onSubmit={() => void save()} fault={write.fault}>
        <h2>{s.general}</h2>
        <Field {...text('name')} label={t.words.name} maxLength={100} isRequired />
        <Field {...text('domain')} label={t.website.domain} hint={t.website.domainHint} isRequired />
        <Field {...setting('timezone')} suggestions={ZONES} isOptional />
        <Check {...tick('isPublic')} />
        <h2>{s.tracking}</h2>
        <Check {...tick('keylessTracking')} />
        <Field {...setting('allowedOrigins')} lines={3} isOptional />
        <Check {...tick('honorPrivacySignals')} />
        <Check {...tick('pageviewAliases')} />
        <Field
          name="keylessMegabytes"
          label={s.keylessMegabytes}
          hint={s.keylessMegabytesHint}
          value={draft.keylessMegabytes}
          onInput={edit('keylessMegabytes')}
          // The API speaks of bytes.
          fault={write.faultOf('settings.keylessBytesPerDay') && s.keylessMegabytesWrong}
          isOptional
        />
        {write.fault && <FaultNotice fault={write.fault} again={isChanged ? reload : undefined} />}
        {outcome && <Notice kind="good">{outcome}</Notice>}
        <div class="row">
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {t.words.save}
          </Button>
        </div>
      </Form>
    </div>
  );
}
