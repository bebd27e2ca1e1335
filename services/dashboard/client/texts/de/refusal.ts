/** Was die API an einem Feld oder an einer Handlung beanstandet. Was hier fehlt, steht auf Englisch da und ist so gekennzeichnet. */
import type { Texts } from '../pattern.ts';

/** Was ein Feld enthalten darf, nach den Worten der API hinter „Allowed:“. */
const ALLOWED: Readonly<Record<string, string>> = {
  'a text': 'ein Text',
  'a text of 1 to 100 characters': 'ein Text von 1 bis 100 Zeichen',
  'a text of 1 to 200 characters': 'ein Text von 1 bis 200 Zeichen',
  'a text of 1 to 500 characters': 'ein Text von 1 bis 500 Zeichen',
  '3 to 50 of A-Z a-z 0-9 _ -, and no reserved word':
    '3 bis 50 Zeichen von A-Z a-z 0-9 _ -, und kein Wort des Dienstes selbst',
  'an absolute http or https URL of at most 2048 characters, without credentials, white space, backslashes and control characters':
    'eine Adresse, die mit https:// oder http:// beginnt, mit höchstens 2048 Zeichen, ohne Zugangsdaten, Leerzeichen, Rückstriche und Steuerzeichen',
  'a website that the caller reaches, or null': 'eine Website der Organisation, oder keine',
  'a list of at most 20 different texts of 1 to 50 characters':
    'höchstens 20 verschiedene Texte von 1 bis 50 Zeichen',
  'a host such as "shop.example.com", or the address of a page on it':
    'ein Host wie „shop.example.com“ oder die Adresse einer Seite dort',
  'true or false': 'wahr oder falsch',
  'a list of at most 100 origins with hosts of at most 253 characters, such as "https://app.example.com"':
    'höchstens 100 Origins wie „https://app.example.com“, jeder Host mit höchstens 253 Zeichen',
  'an IANA time zone, such as "Europe/Berlin"': 'eine IANA-Zeitzone wie „Europe/Berlin“',
  'a whole number of bytes from 1 to 1000000000000': 'eine ganze Zahl von Bytes von 1 bis 1000000000000',
  'an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z"':
    'ein Zeitpunkt bis zum Jahr 9999',
  'an instant to come': 'ein Zeitpunkt in der Zukunft',
  '3 to 50 lower-case letters, digits and hyphens': '3 bis 50 Kleinbuchstaben, Ziffern und Bindestriche',
  'an e-mail address': 'eine E-Mail-Adresse',
  'a number': 'eine Zahl',
  'a whole number': 'eine ganze Zahl',
  'a currency of ISO 4217, such as "EUR"': 'eine Währung nach ISO 4217 wie „EUR“',
  'well-formed Unicode without NUL': 'ganze Zeichen, ohne NUL',
  'the name of a property, 1 to 128 characters': 'der Name einer Eigenschaft, 1 bis 128 Zeichen',
  'properties.<key>': 'der Name einer Eigenschaft',
  'a text; for in also a list': 'höchstens 100 Texte ohne Steuerzeichen',
  'a number, as type says': 'eine Zahl',
  '1 to 100 letters, digits, "_" and "-"': '1 bis 100 Buchstaben, Ziffern, „_“ und „-“',
  '1 to 50 letters, digits, "_", "." and "-"': '1 bis 50 Buchstaben, Ziffern, „_“, „.“ und „-“',
  'JSON of at most 16384 bytes': 'JSON von höchstens 16384 Bytes',
  'no name "__proto__"': 'kein Name „__proto__“',
  'the name of a property; without one, a percentage as value':
    'der Name einer Eigenschaft, oder ein Prozentsatz',
  'without a field, a percentage from 0 to 100': 'ein Prozentsatz von 0 bis 100',
  'a weight for each variant or for none': 'ein Gewicht für jede Variante oder für keine',
  'at least one for a flag of type multivariant': 'mindestens eine Variante',
  'owner, admin, member, viewer': 'Inhaber, Administrator, Mitglied, Leser',
};

/** Ganze Sätze; was in Klammern steht, kommt aus der Anfrage oder ist eine Zahl. */
const SENTENCES: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^At least (?:1|one) character\.$/, () => 'Mindestens ein Zeichen.'],
  [/^At least (\d+) characters\.$/, (count) => `Mindestens ${count} Zeichen.`],
  [/^At most (\d+) characters\.$/, (count) => `Höchstens ${count} Zeichen.`],
  [/^At most (\d+)(?: elements)?\.$/, (count) => `Höchstens ${count}.`],
  [/^At most (\d+) characters, not \d+\.$/, (count) => `Höchstens ${count} Zeichen.`],
  [/^The operator \w+ takes a number\.$/, () => 'Hier steht eine Zahl.'],
  [
    /^Must be a regular expression in the syntax of RE2: (.*)$/s,
    (why) => `Das ist kein regulärer Ausdruck in der Syntax von RE2 (${why}).`,
  ],
  [
    /^Allowed with revenueProperty only: it is the currency of that number\.$/,
    () => 'Eine Währung braucht eine Eigenschaft mit dem Umsatz.',
  ],
  [/^At least (\d+)(?: elements?)?\.$/, (count) => `Mindestens ${count}.`],
  [
    /^Came (\d+) values in all\. Allowed: at most (\d+)\.$/,
    (came, most) => `${came} Werte sind zu viele. Erlaubt: ${most}.`,
  ],
  [/^This is missing\. The operator .* compares with \w+\.$/, () => 'Hier fehlt ein Wert.'],
  [/^The weights sum to (\S+)\. Allowed: 100\.$/, (sum) => `Die Gewichte ergeben ${sum}. Erlaubt: 100.`],
  [/^Came (".*") a second time\. Allowed: once\.$/s, (came) => `${came} kommt zweimal vor.`],
  [/^There is no (?:flag|target group) "(.*)"[^"]*\.$/s, (name) => `„${name}“ gibt es nicht mehr.`],
  [/^They close a circle: (.*)\.$/s, (circle) => `Sie bilden einen Kreis: ${circle}.`],
  [
    /^The (?:organization|website "\S+") has a flag "(\S+)" already\.$/,
    (key) => `Es gibt hier schon ein Flag „${key}“.`,
  ],
  [
    /^The (?:flag|target group) ".*" cannot be deleted: these flags (?:depend on|use) it: (.*)\.$/s,
    (flags) => `Diese Flags brauchen es: ${flags}.`,
  ],
  [
    /^Came (\d+) elements\. Allowed: at most (\d+)\.$/,
    (came, most) => `${came} sind zu viele. Erlaubt: ${most}.`,
  ],
  [/^Allowed: a list of one or more of .*\.$/, () => 'Wählen Sie mindestens ein Recht.'],
  [
    /^Allowed: \{level: global\} or .* \[1 to (\d+) websites .*\.$/,
    (most) => `Wählen Sie 1 bis ${most} Websites der Organisation.`,
  ],
  [/^Name each scope once\.$/, () => 'Nennen Sie jedes Recht einmal.'],
  [
    /^Only who holds (\S+) can give it to a key\.$/,
    (scope) => `Nur wer das Recht ${scope} hat, kann es einem Schlüssel geben.`,
  ],
  [/^Name each website once\.$/, () => 'Nennen Sie jede Website einmal.'],
  [/^The organization has no website "(.*)"\.$/s, (id) => `Die Organisation hat keine Website „${id}“.`],
  [
    /^Another website of the organization has the domain "(.*)"\.$/s,
    (domain) => `Eine andere Website der Organisation hat die Domain „${domain}“.`,
  ],
  [
    /^"(.*)" is reserved for the service itself\. Choose another word\.$/s,
    (slug) => `„${slug}“ braucht der Dienst selbst. Wählen Sie ein anderes Wort.`,
  ],
  [
    /^The slug "(.*)" is taken; choose another one\.$/s,
    (slug) => `Der Kurzname „${slug}“ ist vergeben. Wählen Sie einen anderen.`,
  ],
  [
    /^The organization has reached its bound of (\d+) links\.$/,
    (most) => `Mehr als ${most} Links kann die Organisation nicht haben.`,
  ],
  [/^(\S+) is a member already\.$/, (email) => `${email} ist schon Mitglied.`],
  [
    /^The (?:member|API key|flag|target group|link) "\S+" is being changed by somebody else; try again\.$/,
    () => 'Jemand anders ändert dies gerade. Versuchen Sie es noch einmal.',
  ],
  [
    /^The API key "\S+" has expired: change expiresAt first\.$/,
    () => 'Der Schlüssel ist abgelaufen. Ändern Sie zuerst den Ablauf.',
  ],
  [
    /^The API key "\S+" is revoked for good: create another one\.$/,
    () => 'Der Schlüssel ist für immer widerrufen. Legen Sie einen anderen an.',
  ],
  [/^"(.*)" is not for shares\. Allowed: .*\.$/s, (name) => `„${name}“ lässt sich nicht teilen.`],
  [
    /^No dataset is named "(.*)"; did you mean "(.*)"\?$/s,
    (name, near) => `Kein Datensatz heißt „${name}“. Meinten Sie „${near}“?`,
  ],
  [
    /^No dataset is named "(.*)"; GET \/v1\/query\/types lists them\.$/s,
    (name) => `Kein Datensatz heißt „${name}“. GET /v1/query/types nennt alle.`,
  ],
];

/** Was vor „Allowed:“ steht: was kam, oder dass nichts kam. */
const LEADS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^$/, () => ''],
  [/^This is missing\. $/, () => 'Das fehlt. '],
  [/^Came (".*(?:"|…)|-?\d[\d.e+]*)\. $/s, (came) => `Eingegeben: ${came}. `],
  [
    /^Holds half of a character \(a lone surrogate\) or NUL\. $/,
    () => 'Darin steht ein halbes Zeichen oder das Zeichen NUL. ',
  ],
  [/^\S+ has passed\. $/, () => 'Das ist vorbei. '],
];

export const refusal: Texts['refusal'] = (sentence) => {
  const whole = translated(SENTENCES, sentence);
  if (whole !== undefined) return whole;
  for (const [english, german] of Object.entries(ALLOWED)) {
    const end = [`Allowed: ${english}.`, `Allowed: ${english}, or null.`].find((each) =>
      sentence.endsWith(each),
    );
    const lead = end && translated(LEADS, sentence.slice(0, -end.length));
    if (lead !== undefined) return `${lead}Erlaubt: ${german}.`;
  }
  return undefined;
};

function translated(all: typeof SENTENCES, sentence: string): string | undefined {
  for (const [pattern, write] of all) {
    const found = pattern.exec(sentence);
    if (found) return write(...found.slice(1));
  }
  return undefined;
}
