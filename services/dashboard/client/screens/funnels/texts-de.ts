/** Funnels of a website, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  make: 'Neuer Trichter',
  makeIt: 'Trichter anlegen',
  changeTitle: 'Trichter ändern',
  none: 'Noch kein Trichter',
  noneHint:
    'Ein Trichter ist ein Weg aus Seiten und Ereignissen. Er zeigt, wie viele jeden Schritt erreichen, wie lange das dauert und wo sie gehen.',
  step: (number) => `Schritt ${number}`,
  stepName: 'Name des Schritts',
  steps: 'Schritte',
  line: 'Linie',
  addStep: 'Schritt hinzufügen',
  ordered: 'In dieser Reihenfolge',
  orderedHint: 'Sonst in beliebiger Reihenfolge.',
  window: 'Innerhalb von',
  windowHint: 'Vom ersten bis zum letzten Schritt, höchstens 90 Tage.',
  unit: 'Einheit',
  units: { days: 'Tagen', hours: 'Stunden', minutes: 'Minuten', seconds: 'Sekunden' },
  atMost: (span) => `höchstens ${span}`,
  anyOrder: 'in beliebiger Reihenfolge',
  excludes: 'Ein Ereignis beendet den Versuch',
  except: (match) => `bis: ${match}`,
  removeTitle: 'Diesen Trichter löschen?',
  removeHint: 'Die Ereignisse bleiben, wie sie sind.',
  all: 'Alle Trichter',
  anyOf: (number, count) => `Beliebige ${number} von ${count}`,
  columns: {
    visitors: 'Besucher',
    conversion_rate: 'Vom ersten Schritt',
    step_rate: 'Vom Schritt davor',
    dropped: 'Gegangen',
    median_seconds_from_previous: 'Mediandauer seither',
  },
  definition:
    'Ein Besucher zählt einmal, mit dem Versuch, der am weitesten kam. Eine Zahl führt zu den Sitzungen der Besucher, die im Zeitraum dasselbe getan haben, in welcher Reihenfolge und wie langsam auch immer.',
  series: {
    conversion_rate: 'Abschlussrate',
    visitors: 'Nahmen den ersten Schritt',
    converted: 'Erreichten den letzten Schritt',
    median_seconds_to_convert: 'Mediandauer bis zum Ende',
  },
  groupsDefinition: 'Gruppen nach dem, was das Ereignis des ersten Schritts sagt: die 500 größten.',
};
