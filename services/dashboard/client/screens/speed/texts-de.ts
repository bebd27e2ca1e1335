/** The speed of a website, in German. */
import { plural } from '../../texts/format.ts';
import type { en } from './texts-en.ts';

export const de: typeof en = {
  vitals: {
    LCP: 'Größtes Element',
    INP: 'Antwort auf Eingaben',
    CLS: 'Verschiebung des Layouts',
    FCP: 'Erstes Element',
    TTFB: 'Erstes Byte',
  },
  definitions: {
    LCP: 'Wann das größte Bild oder der größte Text einer Seite da war. Gut bis 2,5 Sekunden, schlecht über 4.',
    INP: 'Wie lange eine Seite brauchte, um auf Besucher zu antworten. Gut bis 200 Millisekunden, schlecht über 500.',
    CLS: 'Wie weit sich der Inhalt einer Seite von selbst verschob, ohne Einheit. Gut bis 0,1, schlecht über 0,25.',
    FCP: 'Wann das erste Bild oder der erste Text einer Seite da war. Gut bis 1,8 Sekunden, schlecht über 3.',
    TTFB: 'Wann das erste Byte einer Seite kam. Gut bis 0,8 Sekunden, schlecht über 1,8.',
  },
  p75: 'Drei von vier Werten sind nicht größer als die Zahl.',
  ratings: { good: 'gut', fair: 'verbesserungsbedürftig', poor: 'schlecht' },
  share: (percent, rating) => `${percent} ${rating}`,
  values: (count) => plural(count, 'Wert', 'Werte'),
  none: 'nicht gemessen',
  atP75: (vital) => `${vital} im 75. Perzentil`,
  inMilliseconds: (title) => `${title}, in Millisekunden`,
  tabs: { pages: 'Seiten', devices: 'Geräte', countries: 'Länder', load: 'Ladezeiten' },
  by: {
    pages: (vital) => `${vital} nach Seite`,
    devices: (vital) => `${vital} nach Gerät`,
    countries: (vital) => `${vital} nach Land`,
    load: () => 'Ladezeiten',
  },
  lists: {
    pages: 'Die gewählte Messgröße auf jeder Seite.',
    devices: 'Die gewählte Messgröße auf jeder Art von Gerät.',
    countries: 'Die gewählte Messgröße in jedem Land.',
    load: 'Wie lange Seiten zum Laden brauchten, bei den Aufrufen, die es sagten; 0, wo es keiner sagte.',
  },
  columns: {
    samples: 'Werte',
    p75: '75. Perzentil',
    good: 'Gut',
    fair: 'Verbesserungsbedürftig',
    poor: 'Schlecht',
    device_type: 'Gerät',
    country: 'Land',
    p50_load_time: 'Median',
    p95_load_time: '95. Perzentil',
    p99_load_time: '99. Perzentil',
    avg_load_time: 'Mittel',
    avg_ttfb: 'Mittel bis zum ersten Byte',
  },
};
