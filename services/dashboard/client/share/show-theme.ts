/** Light or dark as the address of a share says: who embeds the page chooses what fits around it. */

/** Anything but these two is as the reader's system says. */
export function showTheme(theme: string | undefined): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.appearance = theme;
}
