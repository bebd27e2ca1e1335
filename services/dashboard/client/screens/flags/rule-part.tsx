/** The rules of a flag or of a target group, in the order in which they are asked. */
import type { Write } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { FormRows, nextRow } from '../../design/form-rows.tsx';
import type { Drafting } from './draft-form.tsx';
import { Part } from './part.tsx';
import { isAboutBeing, MOST_RULES, NEW_RULE, OPERATORS, type RuleDraft, SUBJECTS } from './rule-draft.ts';
import { flagTexts } from './texts.ts';

interface RulePartProps extends Drafting<{ readonly rules: readonly RuleDraft[] }> {
  readonly hint: string;
}

/** Those of a flag, or of a target group. */
export function RulePart({ draft: { rules }, edit, hint, write }: RulePartProps) {
  const onChange = (next: readonly RuleDraft[]) => edit({ rules: next });
  const t = flagTexts.value;
  return (
    <Part title={t.rules} hint={hint} field="rules" write={write}>
      <FormRows
        rows={rules}
        onChange={onChange}
        rowKey={({ row }) => row}
        onMoved={write.forget}
        name={t.ruleNumber}
        foot={
          rules.length < MOST_RULES && (
            <div>
              <Button icon="plus" onClick={() => onChange([...rules, { ...NEW_RULE, row: nextRow(rules) }])}>
                {t.addRule}
              </Button>
            </div>
          )
        }
      >
        {(rule, index) => (
          <Rule
            rule={rule}
            onChange={(edits) => onChange(rules.with(index, { ...rule, ...edits }))}
            faultOf={(field) => write.faultOf(`rules[${index}].${field}`)}
          />
        )}
      </FormRows>
    </Part>
  );
}

interface RuleProps {
  readonly rule: RuleDraft;
  readonly onChange: (edits: Partial<RuleDraft>) => void;
  readonly faultOf: Write['faultOf'];
}

function Rule({ rule, onChange, faultOf }: RuleProps) {
  const t = flagTexts.value;
  const { subject, field, operator, values, enabled } = rule;
  const isShare = subject === 'percentage';
  // To the API, a share that is no number is a property without a name.
  const compared = isShare ? (['value', 'field'] as const) : (['value', 'values', 'batchValues'] as const);
  const valuesFault = compared.map(faultOf).find(Boolean);
  /** A share is no property, and a property no share. */
  function choose(next: RuleDraft['subject']): void {
    onChange({ subject: next, ...((next === 'percentage') !== isShare && { values: '' }) });
  }
  return (
    <div class="filters">
      <Field
        label={t.subject}
        value={subject}
        onInput={(next) => choose(next as RuleDraft['subject'])}
        options={SUBJECTS.map((value) => ({ value, text: t.subjects[value] }))}
      />
      {subject === 'property' && (
        <Field
          label={t.property}
          value={field}
          onInput={(next) => onChange({ field: next })}
          maxLength={100}
          fault={faultOf('field')}
        />
      )}
      {!isShare && (
        <Field
          label={t.operator}
          value={operator}
          onInput={(next) => onChange({ operator: next as RuleDraft['operator'] })}
          options={OPERATORS.map((value) => ({ value, text: t.operators[value] }))}
        />
      )}
      {isShare ? (
        <Field
          label={t.percent}
          value={values}
          onInput={(next) => onChange({ values: next })}
          fault={valuesFault}
        />
      ) : (
        !isAboutBeing(rule) && (
          <Field
            label={t.values}
            hint={t.valuesHint}
            value={values}
            onInput={(next) => onChange({ values: next })}
            lines={2}
            fault={valuesFault}
          />
        )
      )}
      <Field
        label={t.gives}
        value={enabled ? 'on' : 'off'}
        onInput={(next) => onChange({ enabled: next === 'on' })}
        options={[
          { value: 'on', text: t.on },
          { value: 'off', text: t.off },
        ]}
      />
    </div>
  );
}
