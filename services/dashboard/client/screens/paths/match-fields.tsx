/** The fields of what matches an event: a page or an event, how it is compared, and conditions on properties. */
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
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
  return (
    <>
      <div class="match-fields">
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
      </div>
      <Field
        label={takesList(draft.op) ? t.values : t.value}
        value={draft.value}
        onInput={(value) => edit({ value })}
        lines={takesList(draft.op) ? 3 : undefined}
        maxLength={takesList(draft.op) ? undefined : 2_048}
        isRequired
        fault={faultOf('match.value')}
      />
      {conditions.map((condition, index) => (
        <ConditionFields
          key={index}
          number={formatNumber(index + 1)}
          draft={condition}
          onEdit={(next) => edit({ conditions: conditions.map((each, at) => (at === index ? next : each)) })}
          onRemove={() => edit({ conditions: conditions.filter((_, at) => at !== index) })}
          faultOf={(field) => faultOf(`conditions[${index}].${field}`)}
        />
      ))}
      {conditions.length < MOST_CONDITIONS && (
        <div>
          <Button
            kind="plain"
            icon="plus"
            onClick={() => edit({ conditions: [...conditions, { key: '', op: 'eq', value: '' }] })}
          >
            {t.addCondition}
          </Button>
        </div>
      )}
    </>
  );
}

interface ConditionFieldsProps {
  readonly number: string;
  readonly draft: ConditionDraft;
  readonly onEdit: (draft: ConditionDraft) => void;
  readonly onRemove: () => void;
  readonly faultOf: MatchFieldsProps['faultOf'];
}

function ConditionFields({ number, draft, onEdit, onRemove, faultOf }: ConditionFieldsProps) {
  const t = pathsTexts.value;
  const isList = takesList(draft.op);
  return (
    <fieldset class="match-condition">
      <legend class="unseen">{t.condition(number)}</legend>
      <Field
        label={t.property}
        value={draft.key}
        onInput={(key) => onEdit({ ...draft, key })}
        maxLength={256}
        isRequired
        fault={faultOf('field')}
      />
      <Field
        label={t.how}
        value={draft.op}
        onInput={(op) => onEdit({ ...draft, op: op as ConditionDraft['op'] })}
        options={optionsOf(CONDITION_OPERATORS)}
        fault={faultOf('op')}
      />
      {takesValue(draft.op) && (
        <Field
          label={isList ? t.comparedList : t.compared}
          value={draft.value}
          onInput={(value) => onEdit({ ...draft, value })}
          lines={isList ? 3 : undefined}
          maxLength={isList ? undefined : 2_048}
          isRequired
          fault={faultOf('value')}
        />
      )}
      <Button kind="plain" icon="trash-2" label={t.removeCondition(number)} onClick={onRemove}>
        {''}
      </Button>
    </fieldset>
  );
}
