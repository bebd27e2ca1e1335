/** A filter that is added or changed: what, how, which value, and what it keeps. */
import { useState } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Field } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { texts } from '../texts/texts.ts';
import { DIMENSIONS, type DimensionName, isDimension } from '../website/dimensions.ts';
import {
  type Filter,
  needsValue,
  OPERATORS,
  type Operator,
  type Reach,
  reachesOf,
} from '../website/scene-filters.ts';
import { drillTexts } from './texts.ts';

/** What stands in the choice of dimensions for a property of events. */
const PROPERTY = 'properties';

interface FilterDialogProps {
  /** The filter that is changed; absent: a new one. */
  readonly filter?: Filter;
  readonly onDone: (filter: Filter) => void;
  readonly onClose: () => void;
}

export function FilterDialog({ filter, onDone, onClose }: FilterDialogProps) {
  const t = drillTexts.value;
  const isProperty = filter?.dimension.startsWith(`${PROPERTY}.`) === true;
  const [chosen, choose] = useState<string>(isProperty ? PROPERTY : (filter?.dimension ?? 'path'));
  const [property, setProperty] = useState(
    isProperty ? (filter?.dimension.slice(PROPERTY.length + 1) ?? '') : '',
  );
  const [operator, setOperator] = useState<Operator>(filter?.operator ?? 'eq');
  const [value, setValue] = useState(filter?.value ?? '');
  const [of, setOf] = useState<Reach>(filter?.of ?? 'session');
  const name = chosen === PROPERTY ? `${PROPERTY}.${property}` : chosen;
  const reaches = isDimension(name) ? reachesOf(name) : reachesOf('properties.x');
  const kept = reaches.find((each) => each === of) ?? reaches[0] ?? 'session';
  const isWhole = isDimension(name) && (!needsValue(operator) || value !== '');
  return (
    <Dialog title={filter ? t.change : t.addTitle} onClose={onClose}>
      <Form
        onSubmit={() => {
          if (isWhole)
            onDone({
              dimension: name as DimensionName,
              operator,
              value: needsValue(operator) ? value : '',
              of: kept,
            });
        }}
      >
        <Field
          label={t.dimension}
          value={chosen}
          onInput={choose}
          options={[
            ...Object.keys(DIMENSIONS).map((each) => ({
              value: each,
              text: t.dimensions[each as keyof typeof DIMENSIONS],
            })),
            { value: PROPERTY, text: t.aProperty },
          ]}
        />
        {chosen === PROPERTY && (
          <Field label={t.property} value={property} onInput={setProperty} maxLength={128} isRequired />
        )}
        <Field
          label={t.operator}
          value={operator}
          onInput={(next) => setOperator(next as Operator)}
          options={OPERATORS.map((each) => ({ value: each, text: t.operators[each] }))}
        />
        {needsValue(operator) && (
          <Field label={t.value} value={value} onInput={setValue} maxLength={2_048} isRequired />
        )}
        {reaches.length > 1 && (
          <Field
            label={t.of}
            value={kept}
            onInput={(next) => setOf(next as Reach)}
            options={reaches.map((each) => ({ value: each, text: t.reaches[each] }))}
          />
        )}
        <div class="row">
          <Button kind="primary" type="submit" isBusy={!isWhole}>
            {t.apply}
          </Button>
          <Button onClick={onClose}>{texts.value.words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
