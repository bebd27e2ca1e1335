/** Chooses a part of the share's range, where it has parts: a named one, or days. */
import { useState } from 'preact/hooks';
import { Field } from '../design/field.tsx';
import { formatDays } from '../texts/format.ts';
import { DatesForm } from '../website/dates-form.tsx';
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
  const least = frame.days?.first ?? '';
  const most = frame.days?.last ?? '';
  return (
    <DatesForm
      days={daysOf(part, frame) ?? { first: frame.today, last: frame.today }}
      words={t}
      badDates={t.badDates(least === '' ? '…' : formatDays(least, least), formatDays(most, most))}
      mayShow={({ first, last }) => first >= least && last <= most}
      onShow={onShow}
    />
  );
}
