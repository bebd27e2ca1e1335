/** Two days, the first not after the last: of a range, of what it is compared with, or of a part of it. */
import { useState } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Field } from '../design/field.tsx';
import { type Days, isDay } from './calendar.ts';

interface DatesFormProps {
  /** What stands there at first; a form with other days is another one (`key`). */
  readonly days: Days;
  readonly words: { readonly first: string; readonly last: string; readonly apply: string };
  /** Said of days that cannot be shown. */
  readonly badDates: string;
  /** Whether days that follow each other may be shown; absent: all may. */
  readonly mayShow?: (days: Days) => boolean;
  readonly onShow: (days: Days) => void;
}

export function DatesForm({ days, words, badDates, mayShow, onShow }: DatesFormProps) {
  const [first, setFirst] = useState(days.first);
  const [last, setLast] = useState(days.last);
  const [isBad, setBad] = useState(false);
  return (
    <form
      class="dates row screen-only"
      onSubmit={(event) => {
        event.preventDefault();
        const isGood = isDay(first) && isDay(last) && first <= last && (mayShow?.({ first, last }) ?? true);
        setBad(!isGood);
        if (isGood) onShow({ first, last });
      }}
    >
      <Field label={words.first} type="date" value={first} onInput={setFirst} />
      <Field
        label={words.last}
        type="date"
        value={last}
        onInput={setLast}
        fault={isBad ? badDates : undefined}
      />
      <Button type="submit">{words.apply}</Button>
    </form>
  );
}
