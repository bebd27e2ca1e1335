/** The sections of the dashboard's texts that components on the page of a share may read; a test holds them to it. */
export const SECTIONS = ['words', 'states', 'refusal'] as const;
export type Section = (typeof SECTIONS)[number];
