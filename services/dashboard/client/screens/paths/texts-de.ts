/** What goals, funnels, retention and journeys share, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  types: { page: 'Seite', event: 'Ereignis' },
  type: 'Was zählt',
  operator: 'Verglichen mit',
  value: 'Pfad oder Name',
  values: 'Pfade oder Namen, einer pro Zeile',
  operators: {
    in: 'ist eines von',
    not_in: 'ist keines von',
    ends_with: 'endet mit',
    gt: 'ist über',
    gte: 'ist mindestens',
    lt: 'ist unter',
    lte: 'ist höchstens',
  },
  condition: (number) => `Bedingung ${number}`,
  addCondition: 'Bedingung an eine Eigenschaft',
  property: 'Eigenschaft',
  how: 'Wie',
  compared: 'Wert',
  comparedList: 'Werte, einer pro Zeile',
  removeCondition: (number) => `Bedingung ${number} entfernen`,
  sessions: (what) => `Sitzungen: ${what}`,
  inPart: 'Ohne das, was Filter nicht sagen können.',
};
