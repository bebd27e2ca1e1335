/** Name and expiry of a key, new or existing. */
import { Field } from '../../design/field.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import type { Expiry, ExpiryChoice } from './expiry.ts';
import { keysTexts } from './texts.ts';

const CHOICES = ['never', '30', '90', '365', 'date'] as const;

interface NameFieldsProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly nameFault: Words | undefined;
  readonly expiry: Expiry;
  readonly onExpiry: (expiry: Expiry) => void;
  readonly expiryFault: Words | undefined;
}

export function NameFields({ name, onName, nameFault, expiry, onExpiry, expiryFault }: NameFieldsProps) {
  const t = texts.value;
  const isDate = expiry.choice === 'date';
  return (
    <>
      <Field
        label={t.words.name}
        name="name"
        value={name}
        onInput={onName}
        hint={keysTexts.value.nameHint}
        fault={nameFault}
        maxLength={100}
      />
      <div class="key-expiry">
        <Field
          label={keysTexts.value.expiry}
          name="expiry"
          value={expiry.choice}
          onInput={(choice) => onExpiry({ ...expiry, choice: choice as ExpiryChoice })}
          hint={keysTexts.value.expiryHint}
          fault={isDate ? undefined : expiryFault}
          options={CHOICES.map((value) => ({ value, text: keysTexts.value.expiries[value] }))}
        />
        {isDate && (
          <Field
            type="date"
            name="lastDay"
            label={keysTexts.value.lastDay}
            value={expiry.date}
            onInput={(date) => onExpiry({ ...expiry, date })}
            hint={keysTexts.value.lastDayHint(timezone.value)}
            fault={expiryFault}
          />
        )}
      </div>
    </>
  );
}
