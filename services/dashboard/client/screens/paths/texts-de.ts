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
  sessions: (what) => `Sitzungen: ${what}`,
  inPart: 'Ohne das, was Filter nicht sagen können.',
  group: 'Gruppieren nach',
  groups: (group) => `Nach ${group}`,
  changeOf: (name) => `${name} ändern`,
  removeOf: (name) => `${name} löschen`,
  made: (name) => `${name} ist angelegt.`,
  changed: (name) => `${name} ist geändert.`,
  removed: (name) => `${name} ist gelöscht.`,
  unchanged: 'Es wurde nichts geändert.',
  noneForViewers: 'Wer Websites ändern darf, kann einen Eintrag anlegen.',
  acts: 'Aktionen',
  search: 'Namen suchen',
  /** Of a goal. */
  goal: {
    columns: {
      conversions: 'Conversions',
      conversion_rate: 'Conversion-Rate',
      revenue: 'Umsatz',
    },
    revenueIn: (currency) => `Umsatz (${currency})`,
    definitions: {
      conversions: 'Ereignisse, die das Ziel erreichen.',
      conversion_rate: 'Besucher, die das Ziel erreichten, in Prozent aller Besucher.',
      revenue: 'Summe dessen, was diese Ereignisse wert waren, bei Zielen mit einer Eigenschaft für Umsatz.',
    },
  },
};
