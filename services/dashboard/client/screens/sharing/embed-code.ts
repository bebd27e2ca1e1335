/** The address of a share's page, and the line that shows it within another page. */

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** `auto`, as the reader's system is, needs no parameter. */
export function linkOf(origin: string, token: string, theme: Theme = 'auto'): string {
  const parameter = theme === 'auto' ? '' : `?theme=${theme}`;
  return `${origin}/share/${token}${parameter}`;
}

/** What is written in a page of one of the share's origins. */
export function embedCode(link: string, name: string): string {
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${link}" title="${title}" width="100%" height="900" loading="lazy" style="border: 0"></iframe>`;
}
