/** The slug of a link: what the API says of it stands there as soon as typing rests, before anything is saved. */
import { useState } from 'preact/hooks';
import { useRead } from '../../api/use-read.ts';
import type { SlugView } from '../../api/wire.ts';
import { Field } from '../../design/field.tsx';
import { useTypedSearch } from '../../design/typed-search.ts';
import type { Words } from '../../texts/worded.ts';
import { shortAddress } from './link-facts.tsx';
import { linkTexts } from './texts.ts';

interface SlugFieldProps {
  readonly value: string;
  readonly onInput: (slug: string) => void;
  /** The slug that the link has; empty of a new one. */
  readonly own: string;
  /** What the API said when it was sent. */
  readonly fault: Words | undefined;
}

const LONGEST = 50;

export function SlugField({ value, onInput, own, fault }: SlugFieldProps) {
  const t = linkTexts.value;
  const [asked, ask] = useState(own);
  const [, type] = useTypedSearch(asked, ask);
  const isNew = asked !== '' && asked !== own;
  const read = useRead<{ data: SlugView }>(isNew ? { path: '/v1/links/slug', query: { slug: asked } } : null);
  // Without an answer nothing is said: the write decides.
  const judged = read.isOld ? undefined : read.data?.data;
  const state = judged?.slug === value.trim() && !fault ? judged.state : undefined;
  const address = t.hints.slug(shortAddress(value.trim()));
  return (
    <div class="field">
      <Field
        label={t.fields.slug}
        name="slug"
        hint={own === '' && value === '' ? t.hints.random : address}
        value={value}
        onInput={(slug) => {
          type(slug);
          onInput(slug);
        }}
        fault={fault}
        maxLength={LONGEST}
        isOptional={own === ''}
      />
      <p class={state === 'free' ? 'hint' : 'fault'} role="status">
        {state && t.slugStates[state]}
      </p>
    </div>
  );
}
