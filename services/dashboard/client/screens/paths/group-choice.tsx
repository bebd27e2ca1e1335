/** Chooses what rows are grouped by: a dimension, or a property of events by its name. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { dimensionText } from '../../drill/filter-text.ts';
import { drillTexts } from '../../drill/texts.ts';
import { PREFIX } from './event-match.ts';
import { GROUPS, type Group, propertyOf } from './groups.ts';
import { pathsTexts } from './texts.ts';

/** `group`: the one that the address says. */
export function GroupChoice({ group }: { group: Group }) {
  const t = drillTexts.value;
  const { change } = useAddress();
  const [name, setName] = useState(propertyOf(group));
  const [isProperty, setProperty] = useState(name !== '');
  const show = (field: string) => change({ group: field, sort: undefined, page: undefined }, true);
  return (
    <form
      class="row group-choice screen-only"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') show(PREFIX + name);
      }}
    >
      <Field
        label={pathsTexts.value.group}
        value={isProperty ? PREFIX : group.column.key}
        onInput={(field) => {
          setProperty(field === PREFIX);
          if (field !== PREFIX) show(field);
        }}
        options={[
          ...GROUPS.map(({ column, dimension }) => ({ value: column.key, text: dimensionText(dimension) })),
          { value: PREFIX, text: t.aProperty },
        ]}
      />
      {isProperty && (
        <>
          <Field label={t.property} value={name} onInput={setName} maxLength={128} isRequired />
          <Button type="submit">{t.apply}</Button>
        </>
      )}
    </form>
  );
}
