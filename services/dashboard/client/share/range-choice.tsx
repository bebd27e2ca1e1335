/** Chooses a part of the share's range, where it has parts: a named one, or days. */
import { useState } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Field } from '../design/field.tsx';
import { formatDays } from '../texts/format.ts';
import { isDay } from '../website/calendar.ts';
import { daysOf, type Frame, type Part, presetsOf } from './range-part.ts';
import { shareTexts } from './share-texts.ts';

interface RangeChoiceProps {
  readonly frame: Frame;
  readonly part: Part;
  readonly onShow: (part: Part) => void;
}

const WHOLE = 'whole';
const DATES = 'dates';

export function RangeChoice({ frame, part, onShow }: RangeChoiceProps) {
  const t = shareTexts.value;
  const [isOpen, setOpen] = useState(false);
  const isDates = isOpen || (part !== null && !('preset' in part));
  // A range between instants, a single day, and one that is asked for as a whole, have no parts by days.
  if (!frame.hasParts || frame.days === null || frame.days.first === frame.days.last) return null;
  const chosen = part === null ? WHOLE : 'preset' in part ? part.preset : DATES;
  return (
    <>
      <Field
        label={t.range}
        value={isDates ? DATES : chosen}
        onInput={(value) => {
          setOpen(value === DATES);
          const preset = presetsOf(frame).find((each) => each === value);
          if (value !== DATES) onShow(preset ? { preset } : null);
        }}
        options={[
          { value: WHOLE, text: t.whole },
          ...presetsOf(frame).map((value) => ({ value, text: t.presets[value] })),
          { value: DATES, text: t.dates },
        ]}
      />
      {isDates && <Dates key={JSON.stringify(part)} frame={frame} part={part} onShow={onShow} />}
    </>
  );
}

function Dates({ frame, part, onShow }: RangeChoiceProps) {
  const t = shareTexts.value;
  const shown = daysOf(part, frame);
  const [first, setFirst] = useState(shown?.first ?? frame.today);
  const [last, setLast] = useState(shown?.last ?? frame.today);
  const [isBad, setBad] = useState(false);
  const { days } = frame;
  const least = days?.first ?? '';
  const most = days?.last ?? '';
  return (
    <form
      class="dates row"
      onSubmit={(event) => {
        event.preventDefault();
        const isGood = isDay(first) && isDay(last) && first <= last && first >= least && last <= most;
        setBad(!isGood);
        if (isGood) onShow({ first, last });
      }}
    >
      <Field label={t.first} type="date" value={first} onInput={setFirst} />
      <Field
        label={t.last}
        type="date"
        value={last}
        onInput={setLast}
        fault={
          isBad
            ? t.badDates(least === '' ? '…' : formatDays(least, least), formatDays(most, most))
            : undefined
        }
      />
      <Button type="submit">{t.apply}</Button>
    </form>
  );
}
