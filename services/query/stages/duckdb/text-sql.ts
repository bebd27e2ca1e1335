/** Texts and conditions on events as DuckDB SQL. Names come from the catalogue, every value is a parameter. */
import type { SqlValue } from '../../../shared/ports/event-store.ts';
import type { Dimension } from '../../catalogue/dataset.ts';
import type { Condition } from '../../catalogue/measure.ts';
import type { Text, TextRule, TextSource, TextTest } from '../../catalogue/text.ts';
import { rowNames } from '../row-names.ts';

/** Adds a value and returns its placeholder. */
export type Bind = (value: SqlValue) => string;

/** Key and value of the counted property, where properties are the unit. */
export const PAIR_COLUMNS = { key: 'pair_key', value: 'pair_value' } as const;

/**
 * Separates the texts that are shown for codes: binding and planning a list of hundreds takes the engine milliseconds,
 * one text does not.
 */
const SHOWN_SEPARATOR = '\n';

/** Its first group is the host of an absolute URL. */
const HOST_PATTERN = '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)';

export function quoted(column: string): string {
  return `"${column}"`;
}

/** The text of an event, or NULL when it is missing or empty. */
export function textSql(text: Text, bind: Bind): string {
  const value = `nullif(${sourceSql(text.source, bind)}, '')`;
  if (!text.missingWhen) return value;
  const { column, is } = text.missingWhen;
  return `CASE WHEN ${quoted(column)} = ${bind(is)} THEN NULL ELSE ${value} END`;
}

function sourceSql(source: TextSource, bind: Bind): string {
  if ('column' in source) return quoted(source.column);
  if ('hostOf' in source) return `regexp_extract(${quoted(source.hostOf)}, ${bind(HOST_PATTERN)}, 1)`;
  if ('property' in source) return propertySql(source.property, bind);
  if ('firstOf' in source) return `coalesce(${source.firstOf.map((text) => textSql(text, bind)).join(', ')})`;
  if ('rules' in source) return rulesSql(source.rules);
  return PAIR_COLUMNS[source.pair];
}

function rulesSql(rules: readonly TextRule[]): string {
  const cases = rules.map(({ text, when }) => {
    const tests = when.length === 0 ? 'true' : when.map(textTestSql).join(' AND ');
    return `WHEN ${tests} THEN ${literal(text)}`;
  });
  return `CASE ${cases.join('\n')} END`;
}

/** The engine reads lists and patterns once only where they stand in the statement itself. */
function textTestSql(test: TextTest): string {
  const column = quoted(test.column);
  if ('matches' in test) return `regexp_matches(${column}, ${literal(test.matches)})`;
  if ('startsWith' in test) return `starts_with(lower(${column}), ${literal(test.startsWith)})`;
  const [list, text] =
    'is' in test
      ? [test.is, `lower(${column})`]
      : [test.named, `regexp_extract(lower(${column}), ${literal(FIRST_WORD)}, 1)`];
  return `list_contains(string_split(${literal(list.join(','))}, ','), ${text})`;
}

const FIRST_WORD = '^(?:www\\.)?([^._ -]+)';

/** A text of the catalogue, never of a client. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `value`, with the replacement for a missing one. */
export function orMissing(value: string, { missing }: Text, bind: Bind): string {
  return missing === null ? value : `coalesce(${value}, ${bind(missing)}::VARCHAR)`;
}

/** The shown column of a dimension in grouped rows. */
export function shownSql({ name, shown }: Dimension, bind: Bind): string {
  const column = rowNames.dimension(name);
  return shown ? `${shownInPlace(shown, column, bind)} AS ${column}` : column;
}

/** What is shown in the place of a text, or the text itself. */
export function shownInPlace(shown: NonNullable<Dimension['shown']>, text: string, bind: Bind): string {
  const texts = (values: readonly string[]) =>
    `string_split(${bind(values.join(SHOWN_SEPARATOR))}::VARCHAR, ${bind(SHOWN_SEPARATOR)})`;
  const position = `list_position(${texts(Object.keys(shown))}, ${text})`;
  const found = `${texts(Object.values(shown))}[${position}]`;
  return `coalesce(${found}, ${text})`;
}

export function conditionSql(condition: Condition, bind: Bind): string {
  if ('ranges' in condition) return rangesSql(condition, bind);
  if ('number' in condition) return `${quoted(condition.number)} IS NOT NULL`;
  const column = quoted(condition.column);
  if ('is' in condition) return `${column} = ${bind(condition.is)}`;
  const others = ['', ...condition.presentAndNot].map((text) => bind(text)).join(', ');
  return `${column} NOT IN (${others})`;
}

function rangesSql({ number, of, ranges }: Extract<Condition, { ranges: unknown }>, bind: Bind): string {
  const value = `${quoted(number)}::DOUBLE`;
  const listed = Object.entries(ranges).map(([text, { above, upTo }]) => {
    const tests = [
      `${quoted(of)} = ${bind(text)}`,
      ...(above === undefined ? [] : [`${value} > ${bind(above)}::DOUBLE`]),
      ...(upTo === undefined ? [] : [`${value} <= ${bind(upTo)}::DOUBLE`]),
    ];
    return `(${tests.join(' AND ')})`;
  });
  return `${quoted(number)} IS NOT NULL AND (${listed.join(' OR ')})`;
}

/** ` FILTER (WHERE …)` with all conditions, or nothing. */
export function filterClause(...conditions: readonly (string | null)[]): string {
  const given = conditions.filter((condition) => condition !== null);
  return given.length === 0 ? '' : ` FILTER (WHERE ${given.join(' AND ')})`;
}

/** The text of a property, or NULL. */
export function propertySql(key: string, bind: Bind): string {
  return `json_extract_string("properties", ${bind(jsonPointer(key))}::VARCHAR)`;
}

/** A property that is a number in JSON; NULL for texts, also those of digits. */
export function propertyNumberSql(key: string, bind: Bind): string {
  const pointer = `${bind(jsonPointer(key))}::VARCHAR`;
  const isNumber = `json_type("properties", ${pointer}) IN ('BIGINT', 'UBIGINT', 'DOUBLE')`;
  return `CASE WHEN ${isNumber} THEN TRY_CAST(json_extract_string("properties", ${pointer}) AS DOUBLE) END`;
}

/** The JSON pointer (RFC 6901) to a key of an object. */
export function jsonPointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
