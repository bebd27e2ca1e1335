/** Chooses what a share shows: a box for each part that its page draws, and names of further datasets. */
import { useId, useState } from 'preact/hooks';
import { Check } from '../../design/check.tsx';
import { Field } from '../../design/field.tsx';
import { Worded } from '../../design/worded.tsx';
import { listTexts } from '../../share/list-texts.ts';
import { GROUPS, isOffered, SERIES, TOTALS } from '../../share/shown-lists.ts';
import type { Words } from '../../texts/worded.ts';
import type { Draft } from './draft.ts';
import { sharingTexts } from './texts.ts';

interface ShownFieldsProps {
  readonly draft: Draft;
  readonly onEdit: (change: Partial<Draft>) => void;
  readonly fault: Words | undefined;
  /** What is wrong with the names of further datasets. */
  readonly furtherFault: Words | undefined;
}

export function ShownFields({ draft, onEdit, fault, furtherFault }: ShownFieldsProps) {
  const t = sharingTexts.value;
  const names = listTexts.value;
  const id = useId();
  const { datasets } = draft;
  const [had] = useState(datasets);
  const groups = GROUPS.map(({ key, lists }) => ({
    key,
    lists: lists.filter(({ dataset }) => isOffered(dataset) || had.includes(dataset)),
  })).filter(({ lists }) => lists.length > 0);
  const box = (dataset: string, label: string) => (
    <Check
      key={dataset}
      label={label}
      isChecked={datasets.includes(dataset)}
      onChange={(isChecked) =>
        onEdit({
          datasets: isChecked ? [...datasets, dataset] : datasets.filter((each) => each !== dataset),
        })
      }
    />
  );
  return (
    <fieldset
      class="stack"
      aria-describedby={`${id}-hint`}
      aria-invalid={fault ? 'true' : undefined}
      tabIndex={-1}
    >
      <legend>{t.whatShown}</legend>
      <p class="hint" id={`${id}-hint`}>
        {fault && (
          <strong class="fault">
            <Worded text={fault} />{' '}
          </strong>
        )}
        {t.whatHint}
      </p>
      <div class="checks">
        {box(TOTALS, names.totals)}
        {box(SERIES, names.series)}
      </div>
      {groups.map(({ key, lists }) => (
        <fieldset key={key} class="checks">
          <legend>{names.groups[key]}</legend>
          {lists.map(({ dataset }) => box(dataset, names.lists[dataset]))}
        </fieldset>
      ))}
      <Field
        label={t.further}
        name="further"
        value={draft.further}
        onInput={(further) => onEdit({ further })}
        hint={t.furtherHint}
        fault={furtherFault}
        lines={2}
        isOptional
      />
    </fieldset>
  );
}
