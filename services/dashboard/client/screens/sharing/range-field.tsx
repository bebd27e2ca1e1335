/** Chooses what range a share shows: one of its own, or that of a saved view with its filters, which are asked for as the form opens. */
import { useRead } from '../../api/use-read.ts';
import { Field } from '../../design/field.tsx';
import type { Page } from '../../exports/whole-list.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import { PRESETS } from '../../website/calendar.ts';
import { sharingTexts } from './texts.ts';

interface RangeFieldProps {
  readonly websiteId: string;
  /** The view that the share has now. */
  readonly own: string | undefined;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly fault: Words | undefined;
}

interface View {
  readonly id: string;
  readonly name: string;
  readonly shared: boolean;
}

export function RangeField({ websiteId, own, value, onInput, fault }: RangeFieldProps) {
  const t = sharingTexts.value;
  const query = { website_id: websiteId, limit: 100, sort: 'name' };
  const read = useRead<Page<View>>({ path: '/v1/views', query });
  const views = (read.data?.data ?? []).filter(({ shared }) => shared);
  const isListed = own === undefined || views.some(({ id }) => id === own);
  const presets = texts.value.overview.presets;
  const hints = [
    t.rangeHint,
    value.startsWith('preset:') && t.rangeKept,
    read.data?.nextCursor !== undefined && t.rangesMore,
  ];
  return (
    <>
      <Field
        label={t.range}
        name="view"
        value={value}
        onInput={onInput}
        hint={hints.filter(Boolean).join(' ')}
        fault={fault}
        options={[
          ...(isListed ? [] : [{ value: `view:${own}`, text: t.itsView }]),
          ...PRESETS.map((preset) => ({ value: `preset:${preset}`, text: presets[preset] })),
          ...views.map(({ id, name }) => ({ value: `view:${id}`, text: t.aView(name) })),
        ]}
      />
      {read.fault && <FaultNotice fault={read.fault} repeatsAt={read.repeatsAt} again={read.again} />}
    </>
  );
}
