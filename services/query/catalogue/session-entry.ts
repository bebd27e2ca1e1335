/** What a session came by: texts of its first pageview, which lists of sessions and filters share. */
import { CHANNEL_RULES } from './channels.ts';
import type { Dimension } from './dataset.ts';
import { dimension, referrerHost } from './dimensions.ts';
import type { Text } from './text.ts';

const referrer: Text = referrerHost('session_referrer');

/** By the field of filters that reads it. */
export const ENTRY_TEXTS = {
  channel: { source: { rules: CHANNEL_RULES }, missing: null },
  session_source: {
    source: {
      firstOf: [
        { source: { column: 'utm_source' }, missing: null },
        { ...referrer, missing: null },
      ],
    },
    missing: referrer.missing,
  },
  session_referrer: referrer,
  session_utm_source: dimension('utm_source'),
  session_utm_medium: dimension('utm_medium'),
  session_utm_campaign: dimension('utm_campaign'),
  session_utm_term: dimension('utm_term'),
  session_utm_content: dimension('utm_content'),
} as const satisfies Readonly<Record<string, Text>>;

export type EntryField = keyof typeof ENTRY_TEXTS;

/** The text of a session's first pageview in range, also where another pageview has one. */
export function entryText(name: string, field: EntryField): Dimension {
  return { ...ENTRY_TEXTS[field], name, at: 'entry', field };
}
