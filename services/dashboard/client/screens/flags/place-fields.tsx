/** Where a new flag applies: in the whole organization, or on one website. */
import { useId } from 'preact/hooks';
import { useWebsites } from '../../api/websites.ts';
import { Check } from '../../design/check.tsx';
import { Field } from '../../design/field.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import { flagTexts } from './texts.ts';

interface PlaceFieldsProps {
  /** Null: the organization; empty: a website that is still to be chosen. */
  readonly websiteId: string | null;
  readonly onChange: (websiteId: string | null) => void;
  readonly fault: Words | undefined;
}

export function PlaceFields({ websiteId, onChange, fault }: PlaceFieldsProps) {
  const t = flagTexts.value;
  const group = useId();
  const isOfWebsite = websiteId !== null;
  const read = useWebsites(isOfWebsite);
  return (
    <>
      <fieldset class="checks">
        <legend>{t.place}</legend>
        <Check
          group={group}
          label={t.organization}
          hint={t.organizationHint}
          isChecked={!isOfWebsite}
          onChange={() => onChange(null)}
        />
        <Check group={group} label={t.oneWebsite} isChecked={isOfWebsite} onChange={() => onChange('')} />
      </fieldset>
      {isOfWebsite && (
        <Loaded read={read} lines={1}>
          {({ websites }) => (
            <Field
              label={texts.value.words.website}
              value={websiteId}
              onInput={onChange}
              options={[
                { value: '', text: '–' },
                ...websites.map(({ id, name }) => ({ value: id, text: name })),
              ]}
              fault={fault}
              isRequired
            />
          )}
        </Loaded>
      )}
    </>
  );
}
