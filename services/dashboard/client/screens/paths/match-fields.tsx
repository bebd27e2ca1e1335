/** The fields of what matches an event: a page or an event, how it is compared, and conditions on properties. */
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { FormRows, nextRow } from '../../design/form-rows.tsx';
import { formatNumber } from '../../texts/format.ts';
import type { Words } from '../../texts/worded.ts';
import {
  CONDITION_OPERATORS,
  type ConditionDraft,
  type MatchDraft,
  MOST_CONDITIONS,
  OPERATORS,
  TYPES,
  takesList,
  takesValue,
} from './event-match.ts';
import { operatorText } from './match-text.ts';
import { pathsTexts } from './texts.ts';

interface MatchFieldsProps {
  readonly draft: MatchDraft;
  readonly onEdit: (draft: MatchDraft) => void;
  /** What the API says of a field of the match, such as `match.value`. */
  readonly faultOf: (field: string) => Words | undefined;
}

const optionsOf = (operators: readonly string[]) =>
  operators.map((value) => ({ value, text: operatorText(value) }));

export function MatchFields({ draft, onEdit, faultOf }: MatchFieldsProps) {
  const t = pathsTexts.value;
  const { conditions } = draft;
  const edit = (change: Partial<MatchDraft>) => onEdit({ ...draft, ...change });
  const isList = takesList(draft.op);
  return (
    <>
      <div class="filters">
        <Field
          label={t.type}
          value={draft.type}
          onInput={(type) => edit({ type: type as MatchDraft['type'] })}
          options={TYPES.map((value) => ({ value, text: t.types[value] }))}
          fault={faultOf('type')}
        />
        <Field
          label={t.operator}
          value={draft.op}
          onInput={(op) => edit({ op: op as MatchDraft['op'] })}
          options={optionsOf(OPERATORS)}
          fault={faultOf('match.op')}
        />
        <Field
          label={isList ? t.values : t.value}
          value={draft.value}
          onInput={(value) => edit({ value })}
          lines={isList ? 3 : undefined}
          maxLength={isList ? undefined : 2_048}
          isRequired
          fault={faultOf('match.value')}
        />
      </div>
      <FormRows
        rows={conditions}
        onChange={(next) => edit({ conditions: next })}
        rowKey={({ row }) => row}
        isUnordered
        name={(number) => t.condition(formatNumber(number))}
        foot={
          conditions.length < MOST_CONDITIONS && (
            <div>
              <Button
                kind="plain"
                icon="plus"
                onClick={() =>
                  edit({
                    conditions: [...conditions, { row: nextRow(conditions), key: '', op: 'eq', value: '' }],
                  })
                }
              >
                {t.addCondition}
              </Button>
            </div>
          )
        }
      >
        {(condition, index) => (
          <ConditionFields
            draft={condition}
            onEdit={(change) => edit({ conditions: conditions.with(index, { ...condition, ...change }) })}
            faultOf={(field) => faultOf(`conditions[${index}].${field}`)}
          />
        )}
      </FormRows>
    </>
  );
}

interface ConditionFieldsProps {
  readonly draft: ConditionDraft;
  readonly onEdit: (change: Partial<ConditionDraft>) => void;
  readonly faultOf: MatchFieldsProps['faultOf'];
}

function ConditionFields({ draft, onEdit, faultOf }: ConditionFieldsProps) {
  const t = pathsTexts.value;
  const isList = takesList(draft.op);
  return (
    <div class="filters">
      <Field
        label={t.property}
        value={draft.key}
        onInput={(key) => onEdit({ key })}
        maxLength={256}
        isRequired
        fault={faultOf('field')}
      />
      <Field
        label={t.how}
        value={draft.op}
        onInput={(op) => onEdit({ op: op as ConditionDraft['op'] })}
        options={optionsOf(CONDITION_OPERATORS)}
        fault={faultOf('op')}
      />
      {takesValue(draft.op) && (
        <Field
          label={isList ? t.comparedList : t.compared}
          value={draft.value}
          onInput={(value) => onEdit({ value })}
          lines={isList ? 3 : undefined}
          maxLength={isList ? undefined : 2_048}
          isRequired
          fault={faultOf('value')}
        />
      )}
    </div>
  );
}
