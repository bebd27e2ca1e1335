/** What decides where no other flag, rule or group does: a default, a share of the callers, or variants; and what the flag hands out. */
import { Field } from '../../design/field.tsx';
import { type FlagDraft, ROLLOUT_BY } from './flag-draft.ts';
import { isJsonOrEmpty } from './json-of.ts';
import { type FlagPartProps, Part } from './part.tsx';
import { flagTexts } from './texts.ts';
import { VariantFields } from './variant-fields.tsx';

export function OtherwisePart({ draft, edit, write }: FlagPartProps) {
  const t = flagTexts.value;
  return (
    <Part title={t.otherwise} hint={t.otherwiseHint[draft.type]} field="variants" write={write}>
      {draft.type === 'multivariant' && (
        <VariantFields variants={draft.variants} onChange={(variants) => edit({ variants })} write={write} />
      )}
      <div class="filters">
        {draft.type === 'boolean' && (
          <Field
            label={t.gives}
            value={draft.defaultValue ? 'on' : 'off'}
            onInput={(value) => edit({ defaultValue: value === 'on' })}
            options={[
              { value: 'off', text: t.off },
              { value: 'on', text: t.on },
            ]}
          />
        )}
        {draft.type === 'rollout' && (
          <Field
            label={t.percent}
            value={draft.rolloutPercentage}
            onInput={(rolloutPercentage) => edit({ rolloutPercentage })}
            fault={write.faultOf('rolloutPercentage')}
          />
        )}
        <Field
          label={t.rolloutBy}
          hint={t.rolloutByHint}
          value={draft.rolloutBy}
          onInput={(by) => edit({ rolloutBy: by as FlagDraft['rolloutBy'] })}
          options={ROLLOUT_BY.map((value) => ({ value, text: t.rolloutBys[value] }))}
        />
      </div>
      <Field
        label={t.payload}
        hint={t.payloadHint}
        value={draft.payload}
        onInput={(payload) => edit({ payload })}
        lines={3}
        fault={isJsonOrEmpty(draft.payload) ? write.faultOf('payload') : t.noJson}
        isOptional
      />
    </Part>
  );
}
