/** The fields of a link, of a new one and of its settings: all that the API lets one set. */
import type { ComponentChildren } from 'preact';
import { useWebsites } from '../../api/websites.ts';
import { Field } from '../../design/field.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import type { Draft, Field as FieldName } from './draft.ts';
import { SlugField } from './slug-field.tsx';
import { linkTexts } from './texts.ts';
import { UTM, utmOf, withUtm } from './utm.ts';

interface LinkFieldsProps {
  readonly draft: Draft;
  readonly edit: (field: FieldName, value: string) => void;
  readonly faultOf: (field: string) => Words | undefined;
  /** What the link has; empty of a new one. */
  readonly own: Pick<Draft, 'slug' | 'websiteId'>;
}

const URL_LENGTH = 2_048;
const SYSTEMS = ['iosUrl', 'androidUrl'] as const;

export function LinkFields({ draft, edit, faultOf, own }: LinkFieldsProps) {
  const t = linkTexts.value;
  const field = (name: Exclude<FieldName, 'name' | 'slug'>, maxLength?: number) => ({
    name,
    label: name === 'websiteId' ? texts.value.words.website : t.fields[name],
    value: draft[name],
    onInput: (value: string) => edit(name, value),
    fault: faultOf(name),
    maxLength,
  });
  const isAnyAtFault = (...names: readonly FieldName[]) => names.some((name) => faultOf(name) !== undefined);
  return (
    <>
      <Field
        {...field('targetUrl', URL_LENGTH)}
        hint={t.hints.targetUrl}
        placeholder="https://shop.example.com/sale"
        isRequired
        autoFocus={own.slug === ''}
      />
      <Campaign address={draft.targetUrl} onChange={(address) => edit('targetUrl', address)} />
      <Field
        label={texts.value.words.name}
        name="name"
        value={draft.name}
        onInput={(value) => edit('name', value)}
        fault={faultOf('name')}
        maxLength={100}
        isRequired
      />
      <SlugField
        value={draft.slug}
        onInput={(value) => edit('slug', value)}
        own={own.slug}
        fault={faultOf('slug')}
      />
      <WebsiteChoice {...field('websiteId')} own={own.websiteId} />
      <Field
        {...field('expiresAt')}
        type="datetime-local"
        hint={t.hints.expiresAt(timezone.value)}
        isOptional
      />
      <Field {...field('expiredRedirectUrl', URL_LENGTH)} hint={t.hints.expiredRedirectUrl} isOptional />
      <More title={t.systems} isOpen={isAnyAtFault(...SYSTEMS)}>
        {SYSTEMS.map((name) => (
          <Field key={name} {...field(name, URL_LENGTH)} hint={t.hints.platform} isOptional />
        ))}
      </More>
      <More title={t.preview} isOpen={isAnyAtFault('ogTitle', 'ogDescription', 'ogImageUrl')}>
        <Field {...field('ogTitle', 200)} hint={t.hints.preview} isOptional />
        <Field {...field('ogDescription', 500)} lines={3} isOptional />
        <Field {...field('ogImageUrl', URL_LENGTH)} isOptional />
      </More>
      <Field {...field('tags')} hint={t.hints.tags} lines={2} isOptional />
    </>
  );
}

/** Fields that few need; what is at fault in them is not hidden. */
function More({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  return (
    <details class="more" open={isOpen || undefined}>
      <summary>{title}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}

/** The campaign is a part of the target: what is typed here stands there at once, and the other way round. */
function Campaign({ address, onChange }: { address: string; onChange: (address: string) => void }) {
  const t = linkTexts.value;
  return (
    <More title={t.campaign}>
      {address.trim() === '' ? (
        <p class="hint">{t.targetFirst}</p>
      ) : (
        <>
          <p class="hint">{t.campaignHint}</p>
          <div class="utm">
            {UTM.map((utm) => (
              <Field
                key={utm}
                label={t.utm[utm]}
                name={`utm_${utm}`}
                value={utmOf(address, utm)}
                onInput={(value) => onChange(withUtm(address, utm, value))}
              />
            ))}
          </div>
          <p class="hint">
            {t.result} <bdi class="mono">{address}</bdi>
          </p>
        </>
      )}
    </More>
  );
}

interface WebsiteChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onInput: (id: string) => void;
  readonly fault: Words | undefined;
  readonly own: string;
}

function WebsiteChoice({ own, ...field }: WebsiteChoiceProps) {
  const t = linkTexts.value;
  const read = useWebsites(true);
  const websites = read.data?.websites ?? [];
  // What it has is among the choices before their names are there, and when its website is gone.
  const isKnown = own === '' || websites.some(({ id }) => id === own);
  return (
    <>
      <Field
        {...field}
        hint={t.hints.websiteId}
        options={[
          { value: '', text: texts.value.words.none },
          ...(isKnown ? [] : [{ value: own, text: own }]),
          ...websites.map(({ id, name }) => ({ value: id, text: name })),
        ]}
      />
      {read.fault && <FaultNotice fault={read.fault} repeatsAt={read.repeatsAt} again={read.again} />}
    </>
  );
}
