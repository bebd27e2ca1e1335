/** Was eine Regel tut, auf Deutsch: nach den Sätzen, die die mitgelieferten Plugins davon sagen. Andere stehen auf Englisch da. */

type Said = readonly (readonly [RegExp, (...parts: string[]) => string | undefined])[];

const NUMBER = new Intl.NumberFormat('de');
const number = (text: string) => NUMBER.format(Number(text));
const or = (text: string) => text.replaceAll(' or ', ' oder ');
/** Jeder Teil für sich; einer ohne Worte lässt das Ganze auf Englisch. */
function each(all: Said, text: string, between: string): string | undefined {
  const parts = text.split(between).map((part) => said(all, part));
  return parts.includes(undefined) ? undefined : parts.join(between);
}
/** Ohne den Teil gibt es auch keinen Satz. */
const around = (before: string, part: string | undefined, after: string) =>
  part && `${before}${part}${after}`;

const WHO: Readonly<Record<string, string>> = {
  organization: 'Organisation',
  key: 'Schlüssel',
  address: 'Adresse',
  user: 'Benutzer',
};
const who = (name: string) => WHO[name] ?? name;

const HEADERS: Said = [
  [/^(\S+) set from the (\S+)$/, (name, claim) => `${name} gesetzt aus ${claim}`],
  [/^(\S+) set$/, (name) => `${name} gesetzt`],
  [/^(\S+) added$/, (name) => `${name} hinzugefügt`],
  [/^(\S+) removed$/, (name) => `${name} entfernt`],
];

const CANARY: Said = [
  [/^([\d.]+) % to (\S+), by (\S+)$/, (share, to, by) => `${number(share)} % an ${to}, je ${who(by)}`],
  [/^the cookie (.*) to (\S+)$/s, (cookie, to) => `das Cookie ${or(cookie)} an ${to}`],
  [/^(.*) to (\S+)$/s, (whose, to) => `${or(whose)} an ${to}`],
];

const ADDRESSES: Said = [
  [/^on the plan (\S+) (.*)$/s, (plan, rest) => around(`im Tarif ${plan} `, said(ADDRESSES, rest), '')],
  [/^(.*), but never (.*)$/s, (from, never) => around('', said(ADDRESSES, from), `, aber nie ${never}`)],
  [/^every address passes$/, () => 'jede Adresse darf'],
  [/^only (.*) pass$/s, (list) => `nur ${list}`],
];

const UNDER_WAY: Said = [
  [/^(\d+) on the plan (\S+)$/, (most, plan) => `${number(most)} im Tarif ${plan}`],
  [/^(\d+)$/, (most) => number(most)],
];

const SENTENCES: Said = [
  [
    /^checks bodies of JSON by (.*); (refuses other bodies|lets bodies pass that are no JSON)$/s,
    (source, others) =>
      `prüft JSON nach ${source === 'its schema' ? 'ihrem Schema' : source.replace(/^the operations of /, 'den Operationen von ')}; ${others === 'refuses other bodies' ? 'lehnt anderes ab' : 'lässt anderes durch'}`,
  ],
  [
    /^keeps answers to GET for ([\d.]+) s where they say nothing else(?:, then ([\d.]+) s more while it asks anew)?, for (each caller alone|callers of an organization with the same rights)$/,
    (seconds, stale, whom) =>
      `hebt Antworten auf GET ${number(seconds)} s auf, wo sie nichts anderes sagen${stale === undefined ? '' : `, dann ${number(stale)} s länger, während sie neu fragt`}, für ${whom === 'each caller alone' ? 'jeden allein' : 'alle einer Organisation mit denselben Rechten'}`,
  ],
  [
    /^takes tokens of (.*) for (.*) \((.*)\), and no key or session; organization: (.*); scopes: (.*)$/s,
    (issuer, audience, algorithms, organization, scopes) =>
      `nimmt Token von ${issuer} für ${audience} (${algorithms}) und weder Schlüssel noch Sitzung; Organisation: ${organization.replace(/^the one of (.*), of (\d+)$/s, 'die aus $1, von $2')}; Rechte: ${scopes.replace(/ by (\S+)$/, ' nach $1')}`,
  ],
  [
    /^at most (.*) under way per (\S+), in each process$/,
    (most, per) =>
      around('höchstens ', each(UNDER_WAY, most, ', '), ` zugleich je ${who(per)}, in jedem Prozess`),
  ],
  [
    /^sends (.*); others to the backend of proxy$/s,
    (ways) => around('sendet ', each(CANARY, ways, '; '), '; anderes an das Backend von proxy'),
  ],
  [
    /^answers 503, to try again in (\d+) s$/,
    (seconds) => `antwortet 503, in ${number(seconds)} s noch einmal`,
  ],
  [/^answers (\d+) with (\d+) bytes$/, (status, bytes) => `antwortet ${status} mit ${number(bytes)} Bytes`],
  [
    /^(?:to the backend: (.*?))?(?:; )?(?:to the client: (.*))?$/,
    (request, response) => {
      const ways = [
        ...(request ? [['an das Backend', request] as const] : []),
        ...(response ? [['an den Client', response] as const] : []),
      ].map(([whom, rules]) => {
        const told = each(HEADERS, rules, ', ');
        return told && `${whom}: ${told}`;
      });
      return ways.length === 0 || ways.includes(undefined) ? undefined : ways.join('; ');
    },
  ],
  [
    /^(every page|pages of (.*)) may read the answer, (with|without) credentials$/,
    (_, origins, credentials) =>
      `${origins === undefined ? 'jede Seite darf' : `Seiten von ${origins} dürfen`} die Antwort lesen, ${credentials === 'with' ? 'mit' : 'ohne'} Zugang`,
  ],
  [/^the backend has no such path: 404$/, () => 'das Backend hat keinen solchen Pfad: 404'],
  [/^the backend gets (.*)$/s, (target) => `das Backend bekommt ${target}`],
  [/^leads nowhere: 404$/, () => 'führt nirgendwohin: 404'],
  [/^leads to (.*)$/s, (location) => `führt nach ${location}`],
  [
    /^((?:every address passes|only .* pass|on the plan ).*)$/s,
    (sentence) => each(ADDRESSES, sentence, '; '),
  ],
];

/** Undefined: es gibt keine anderen Worte dafür. */
export const doing = (sentence: string): string | undefined => said(SENTENCES, sentence);

function said(all: Said, sentence: string): string | undefined {
  for (const [pattern, write] of all) {
    const found = pattern.exec(sentence);
    if (found) return write(...found.slice(1));
  }
  return undefined;
}
