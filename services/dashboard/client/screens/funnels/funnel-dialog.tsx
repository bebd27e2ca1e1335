/** Makes a funnel, or changes one: its steps in their order, the time they may take, and what ends an attempt. */
import { Button } from '../../design/button.tsx';
import { Check } from '../../design/check.tsx';
import { Field } from '../../design/field.tsx';
import { FormRows, nextRow } from '../../design/form-rows.tsx';
import { formatNumber } from '../../texts/format.ts';
import type { Words } from '../../texts/worded.ts';
import type { DialogOf } from '../paths/definition-acts.tsx';
import { DefinitionDialog } from '../paths/definition-dialog.tsx';
import { NEW_MATCH } from '../paths/event-match.ts';
import { MatchFields } from '../paths/match-fields.tsx';
import {
  bodyOf,
  type Draft,
  draftOf,
  LEAST_STEPS,
  MOST_STEPS,
  NEW,
  type StepDraft,
  UNIT_NAMES,
  type Unit,
} from './draft.ts';
import { funnelTexts } from './texts.ts';

export function FunnelDialog(props: DialogOf<'funnels'>) {
  const t = funnelTexts.value;
  const { one } = props;
  return (
    <DefinitionDialog
      {...props}
      kind="funnels"
      title={one === null ? t.make : t.changeTitle}
      makeIt={t.makeIt}
      begin={one === null ? NEW : draftOf(one)}
      bodyOf={bodyOf}
    >
      {(draft, edit, faultOf) => (
        <>
          <Steps steps={draft.steps} onEdit={(steps) => edit({ steps })} faultOf={faultOf} />
          <Check
            label={t.ordered}
            hint={t.orderedHint}
            isChecked={draft.ordered}
            onChange={(ordered) => edit({ ordered })}
          />
          <div class="filters">
            <Field
              label={t.window}
              hint={t.windowHint}
              value={draft.count}
              onInput={(count) => edit({ count })}
              isRequired
              fault={faultOf('windowSeconds')}
            />
            <Field
              label={t.unit}
              value={draft.unit}
              onInput={(unit) => edit({ unit: unit as Unit })}
              options={UNIT_NAMES.map((value) => ({ value, text: t.units[value] }))}
            />
          </div>
          <Check
            label={t.excludes}
            isChecked={draft.exclude !== null}
            onChange={(isChecked) => edit({ exclude: isChecked ? NEW_MATCH : null })}
          />
          {draft.exclude && (
            <fieldset class="stack">
              <legend class="unseen">{t.excludes}</legend>
              <MatchFields
                draft={draft.exclude}
                onEdit={(exclude) => edit({ exclude })}
                faultOf={(field) => faultOf(`exclude.${field}`)}
              />
            </fieldset>
          )}
        </>
      )}
    </DefinitionDialog>
  );
}

interface StepsProps {
  readonly steps: Draft['steps'];
  readonly onEdit: (steps: Draft['steps']) => void;
  readonly faultOf: (field: string) => Words | undefined;
}

function Steps({ steps, onEdit, faultOf }: StepsProps) {
  const t = funnelTexts.value;
  const edit = (index: number, change: Partial<StepDraft>) =>
    onEdit(steps.map((each, at) => (at === index ? { ...each, ...change } : each)));
  return (
    <FormRows
      rows={steps}
      onChange={onEdit}
      rowKey={({ row }) => row}
      least={LEAST_STEPS}
      name={(number) => t.step(formatNumber(number))}
      foot={
        steps.length < MOST_STEPS && (
          <div>
            <Button
              icon="plus"
              onClick={() => onEdit([...steps, { row: nextRow(steps), name: '', match: NEW_MATCH }])}
            >
              {t.addStep}
            </Button>
          </div>
        )
      }
    >
      {(step, index) => (
        <>
          <MatchFields
            draft={step.match}
            onEdit={(match) => edit(index, { match })}
            faultOf={(field) => faultOf(`steps[${index}].${field}`)}
          />
          <Field
            label={t.stepName}
            value={step.name}
            onInput={(name) => edit(index, { name })}
            maxLength={100}
            isOptional
            fault={faultOf(`steps[${index}].name`)}
          />
        </>
      )}
    </FormRows>
  );
}
