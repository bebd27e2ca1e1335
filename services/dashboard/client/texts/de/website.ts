/** Eine neue Website und die Einstellungen einer Website. */
import type { Texts } from '../pattern.ts';

export const website: Texts['website'] = {
  screens: {
    label: 'Seiten zur Website',
    overview: 'Übersicht',
    now: 'Jetzt',
    pages: 'Seiten',
    sources: 'Quellen',
    events: 'Ereignisse',
    goals: 'Ziele',
    funnels: 'Trichter',
    retention: 'Wiederkehr',
    journeys: 'Wege',
    sessions: 'Sitzungen',
    visitors: 'Besucher',
    speed: 'Tempo',
    errors: 'Fehler',
  },
  domain: 'Domain',
  domainHint:
    'Ein Host wie shop.example.com, oder fügen Sie die Adresse einer Seite ein: Nur ihr Host wird behalten.',
  create: {
    title: 'Neue Website',
    steps: ['Name und Domain', 'Tracking-Code und erstes Ereignis'],
    nameHint: 'Steht in diesem Dashboard. Ist er leer, steht dort die Domain.',
    submit: 'Website anlegen',
  },
  installation: {
    title: 'Tracking',
    snippet: 'Fügen Sie diese Zeile in den <head> jeder Seite ein:',
    snippetName: 'Tracking-Code',
    origins: 'Sie wirkt auf Seiten dieser Domain und ihrer Subdomains:',
    server: 'Ereignisse von einem Server senden',
    curlName: 'curl-Zeile',
  },
  waiting: {
    title: 'Erstes Ereignis',
    waiting: 'Warten auf das erste Ereignis …',
    received: 'Das erste Ereignis ist da.',
    stopped: 'Noch kein Ereignis. Diese Seite sieht nicht mehr nach.',
    again: 'Noch einmal nachsehen',
    open: 'Zur Übersicht',
    hint: 'Öffnen Sie eine Seite mit dem Tracking-Code. Kommt nach einigen Sekunden nichts an:',
    reasons: [
      'Liegt die Seite auf der Domain der Website? Ereignisse von anderen Ursprüngen (Origins), auch von http://localhost:3000, werden abgelehnt, bis Sie diese in den Einstellungen erlauben.',
      'Sendet der Browser „Do Not Track“, oder blockiert er Tracker? Dann wird nichts gesendet.',
      'Hat die Seite eine Content-Security-Policy? Sie muss die Adresse dieses Dashboards in script-src und connect-src erlauben.',
    ],
    settings: 'Einstellungen der Website',
  },
  settings: {
    title: 'Einstellungen der Website',
    overview: 'Übersicht',
    general: 'Allgemein',
    tracking: 'Erfassung',
    timezone: 'Zeitzone',
    timezoneHint:
      'Für Ihre eigenen Werkzeuge, etwa Europe/Berlin. Diese Seiten zeigen Zeiten in der Zone der Organisation.',
    isPublic: 'Öffentlich',
    isPublicHint:
      'Ein Kennzeichen, das Ihre eigenen Werkzeuge über die API lesen. Es veröffentlicht von sich aus nichts.',
    keylessTracking: 'Ereignisse ohne API-Schlüssel annehmen',
    keylessTrackingHint:
      'Was Seiten mit dem Tracking-Code senden. Aus: Nur Server mit einem Schlüssel senden Ereignisse.',
    allowedOrigins: 'Weitere erlaubte Ursprünge',
    allowedOriginsHint:
      'Seiten der Domain und ihrer Subdomains dürfen immer senden. Tragen Sie hier weitere ein, einen Ursprung (Origin) je Zeile: https://app.example.com, http://localhost:3000',
    honorPrivacySignals: 'Datenschutzsignale beachten',
    honorPrivacySignalsHint:
      'Von Browsern, die „Do Not Track“ oder „Global Privacy Control“ senden, wird nichts gespeichert, auch kein Klick auf einen Kurzlink.',
    pageviewAliases: 'Andere Namen für Seitenaufrufe zählen',
    pageviewAliasesHint:
      'Ereignisse namens pageview, page_view oder $pageview zählen als Seitenaufrufe, wenn sie einen Pfad haben. Aus: Sie gelten als eigene Ereignisse.',
    keylessMegabytes: 'Tageslimit ohne Schlüssel, in MB',
    keylessMegabytesHint:
      'So viel dürfen Ereignisse ohne Schlüssel an einem Tag (UTC) belegen; 1 MB ist eine Million Byte. Mehr wird bis zum Ende des Tages abgelehnt. Voreinstellung: 1.000.',
    keylessMegabytesWrong: 'Geben Sie eine Zahl über 0 und bis 1.000.000 ein, etwa 500 oder 1,5.',
    unchanged: 'Es wurde nichts geändert.',
    reloaded:
      'Die aktuelle Fassung ist geladen. Was Sie hier geändert haben, steht noch im Formular: Speichern Sie es noch einmal.',
    created: (at: string) => `Angelegt am ${at}`,
  },
  remove: {
    heading: 'Löschen',
    title: 'Diese Website löschen?',
    open: 'Website löschen …',
    lead: 'Damit löschen Sie die Website mit ihren Ereignissen, Kurzlinks, Flags und Besucherprofilen. Das lässt sich nicht rückgängig machen.',
    effects: [
      'Sofort: Ihre Seiten können keine Ereignisse mehr senden, und niemand kann ihre Berichte noch öffnen.',
      'Innerhalb von Sekunden, bei vielen Millionen Ereignissen von Minuten: Die Daten selbst werden gelöscht.',
      'Was bleibt: ihre Einträge im Protokoll, und API-Schlüssel, die auf sie beschränkt sind; sie erreichen dann nichts mehr. Backups behalten, was sie enthalten.',
    ],
    type: 'Geben Sie zur Bestätigung ein:',
    typed: 'Name der Website',
    wrong: 'Das ist nicht der Name.',
    submit: 'Website löschen',
  },
};
