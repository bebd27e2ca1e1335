/** Pages of a website, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  tabs: { all: 'Alle Seiten', entry: 'Einstiegsseiten', exit: 'Ausstiegsseiten', time: 'Zeit' },
  lists: {
    all: 'Geöffnete Seiten. Die Absprungrate bezieht sich auf Sitzungen, die auf der Seite beginnen, die Ausstiegsrate auf ihre Aufrufe: wie viele davon die letzten ihrer Sitzung waren. Die Zeit ist der Median des Gemessenen, die Scrolltiefe das Mittel.',
    entry: 'Die erste Seite jeder Sitzung.',
    exit: 'Die letzte Seite jeder Sitzung.',
    time: 'Seiten nach den Sitzungen, deren Zeit auf ihnen gemessen wurde, mit dem Median dieser Zeiten.',
  },
  totals: {
    median_time_on_page: 'Die Hälfte der gemessenen Zeiten auf einer Seite war länger, die Hälfte kürzer.',
    avg_scroll_depth: 'Wie weit Seiten gescrollt wurden, als Mittel des Gemessenen.',
  },
  exits: 'Ausstiege',
};
