/** An amount in its currency, in the reader's language. */
import { formatNumber } from '../texts/format.ts';
import { language } from '../texts/texts.ts';

export function formatMoney(value: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return formatNumber(value);
  return new Intl.NumberFormat(language.value, { style: 'currency', currency }).format(value);
}
