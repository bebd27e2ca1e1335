/** What a flag is called and where it is seen; key and place are chosen once, when it is made. */
import { Field } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { type FlagDraft, TYPES } from './flag-draft.ts';
import type { FlagPartProps } from './part.tsx';
import { PlaceFields } from './place-fields.tsx';
import { flagTexts } from './texts.ts';

export function GeneralPart({ draft, edit, write, isNew }: FlagPartProps & { isNew: boolean }) {
  const t = flagTexts.value;
  return (
    <section class="stack">
      <h2>{t.general}</h2>
      {isNew && (
        <Field
          label={t.key}
          hint={t.keyHint}
          value={draft.key}
          onInput={(key) => edit({ key })}
          maxLength={100}
          fault={write.faultOf('key')}
          isRequired
        />
      )}
      <Field
        label={texts.value.words.name}
        value={draft.name}
        onInput={(name) => edit({ name })}
        maxLength={100}
        fault={write.faultOf('name')}
        isOptional={isNew}
        isRequired={!isNew}
      />
      <Field
        label={t.description}
        value={draft.description}
        onInput={(description) => edit({ description })}
        lines={2}
        maxLength={1_000}
        fault={write.faultOf('description')}
        isOptional
      />
      {isNew && (
        <PlaceFields
          websiteId={draft.websiteId}
          onChange={(websiteId) => edit({ websiteId })}
          fault={write.faultOf('websiteId')}
        />
      )}
      <div class="filters">
        <Field
          label={t.type}
          value={draft.type}
          onInput={(type) => edit({ type: type as FlagDraft['type'] })}
          options={TYPES.map((value) => ({ value, text: t.types[value] }))}
        />
        {isNew && (
          <Field
            label={t.status}
            value={draft.status}
            onInput={(status) => edit({ status: status as FlagDraft['status'] })}
            options={(['active', 'inactive'] as const).map((value) => ({ value, text: t.statuses[value] }))}
          />
        )}
        <Field
          label={t.environment}
          hint={t.environmentHint}
          value={draft.environment}
          onInput={(environment) => edit({ environment })}
          maxLength={50}
          fault={write.faultOf('environment')}
          isOptional
        />
      </div>
    </section>
  );
}
