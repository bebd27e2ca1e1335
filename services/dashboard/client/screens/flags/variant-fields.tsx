/** The variants of a flag with their shares, and what these lack to 100 while they are typed. */
import type { Write } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { FormRows, nextRow } from '../../design/form-rows.tsx';
import { formatNumber } from '../../texts/format.ts';
import { flagTexts } from './texts.ts';
import {
  isSendable,
  MOST_VARIANTS,
  NEW_VARIANT,
  VARIANT_TYPES,
  type VariantDraft,
  weightsOf,
} from './variant-draft.ts';

interface VariantFieldsProps {
  readonly variants: readonly VariantDraft[];
  readonly onChange: (variants: readonly VariantDraft[]) => void;
  readonly write: Write;
}

export function VariantFields({ variants, onChange, write }: VariantFieldsProps) {
  const t = flagTexts.value;
  return (
    <FormRows
      rows={variants}
      onChange={onChange}
      rowKey={({ row }) => row}
      onMoved={write.forget}
      name={t.variantNumber}
      foot={
        <>
          {variants.length > 0 && <p role="status">{inWords(variants)}</p>}
          {variants.length < MOST_VARIANTS && (
            <div>
              <Button
                icon="plus"
                onClick={() => onChange([...variants, { ...NEW_VARIANT, row: nextRow(variants) }])}
              >
                {t.addVariant}
              </Button>
            </div>
          )}
        </>
      }
    >
      {(variant, index) => (
        <Variant
          variant={variant}
          onChange={(edits) => onChange(variants.with(index, { ...variant, ...edits }))}
          faultOf={(field) => write.faultOf(`variants[${index}].${field}`)}
        />
      )}
    </FormRows>
  );
}

function inWords(variants: readonly VariantDraft[]): string {
  const t = flagTexts.value;
  const { left, missing } = weightsOf(variants);
  if (left === null) return t.equalShares;
  const sum =
    left === 0 ? t.isWhole : left > 0 ? t.isLeft(formatNumber(left)) : t.isTooMuch(formatNumber(-left));
  return missing === 0 ? sum : `${sum} ${t.lackWeight(missing)}`;
}

interface VariantProps {
  readonly variant: VariantDraft;
  readonly onChange: (edits: Partial<VariantDraft>) => void;
  readonly faultOf: Write['faultOf'];
}

function Variant({ variant, onChange, faultOf }: VariantProps) {
  const t = flagTexts.value;
  return (
    <div class="filters">
      <Field
        label={t.key}
        value={variant.key}
        onInput={(key) => onChange({ key })}
        maxLength={50}
        fault={faultOf('key')}
      />
      <Field
        label={t.type}
        value={variant.type}
        onInput={(type) => onChange({ type: type as VariantDraft['type'] })}
        options={VARIANT_TYPES.map((value) => ({ value, text: t.variantTypes[value] }))}
      />
      <Field
        label={t.value}
        value={variant.value}
        onInput={(value) => onChange({ value })}
        lines={1}
        fault={isSendable(variant) ? faultOf('value') : t.noJson}
      />
      <Field
        label={t.weight}
        value={variant.weight}
        onInput={(weight) => onChange({ weight })}
        fault={faultOf('weight')}
      />
    </div>
  );
}
