/**
 * Prepares the flags of a client for evaluation, once for many calls: missing references are dropped, dependencies are
 * linked.
 */
import type { Flag, FlagRule, TargetGroup } from '../../shared/model/flag.ts';
import { type CompiledFlag, type CompiledGroup, type CompiledRule, textOf } from './evaluate-flag.ts';

/** Flags by key, ordered by key. */
export type FlagsByKey = ReadonlyMap<string, CompiledFlag>;

/** The client's flags by environment; null for callers that name none. */
export type ClientFlags = ReadonlyMap<string | null, FlagsByKey>;

export interface FlagSources {
  /** The organization's flags and, if the client is a website, the website's, of every status. */
  readonly flags: readonly Flag[];
  /** Target groups by identifier; a missing group matches nobody. */
  readonly groups: ReadonlyMap<string, TargetGroup>;
}

type Linking = { -readonly [Name in keyof CompiledFlag]: CompiledFlag[Name] };

/**
 * The active flags, separately for each environment. A website's flag hides the organization's flag with the same key,
 * also as a dependency of the website's flags; the organization's flags depend only on each other.
 */
export function compileFlags({ flags, groups }: FlagSources): ClientFlags {
  const active = flags.filter(({ status }) => status === 'active');
  const compiledGroups = new Map([...groups].map(([id, group]) => [id, group.rules.map(compileRule)]));
  const environments = new Set(active.map(({ environment }) => environment));
  return new Map(
    [...environments].map((environment) => {
      const inIt = active.filter((flag) => flag.environment === environment);
      const organization = layerOf(
        inIt.filter(({ websiteId }) => websiteId === null),
        compiledGroups,
      );
      const website = layerOf(
        inIt.filter(({ websiteId }) => websiteId !== null),
        compiledGroups,
      );
      const seen = new Map([...new Map([...organization, ...website])].sort(byKey));
      link(inIt, organization, website, seen);
      return [environment, seen];
    }),
  );
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** The rules of target groups by identifier. */
type CompiledGroups = ReadonlyMap<string, CompiledGroup>;

function layerOf(flags: readonly Flag[], groups: CompiledGroups): Map<string, Linking> {
  return new Map(flags.map((flag) => [flag.key, compileFlag(flag, groups)]));
}

function link(
  flags: readonly Flag[],
  organization: ReadonlyMap<string, Linking>,
  website: ReadonlyMap<string, Linking>,
  seen: FlagsByKey,
): void {
  for (const { key, websiteId, dependencies } of flags) {
    const [layer, reached]: [ReadonlyMap<string, Linking>, FlagsByKey] =
      websiteId === null ? [organization, organization] : [website, seen];
    const compiled = layer.get(key);
    if (compiled) compiled.dependencies = dependencies.map((name) => reached.get(name) ?? null);
  }
}

function compileFlag(flag: Flag, groups: CompiledGroups): Linking {
  const { key, type, defaultValue, payload, rolloutPercentage, rolloutBy, variants } = flag;
  return {
    ...{ key, type, defaultValue, payload, rolloutPercentage, rolloutBy, variants },
    rules: flag.rules.map(compileRule),
    groups: flag.targetGroupIds.flatMap((id) => {
      const group = groups.get(id);
      return group ? [group] : [];
    }),
    dependencies: [],
  };
}

function compileRule(rule: FlagRule): CompiledRule {
  const { type, operator, field = null, value, values = [], batch = false, batchValues = [], enabled } = rule;
  const compared = batch ? batchValues : operator === 'in' || operator === 'not_in' ? values : [value];
  return {
    type,
    operator,
    field,
    percentage: typeof value === 'number' ? value : 0,
    texts: new Set(compared.flatMap((each) => textOf(each) ?? [])),
    enabled,
  };
}
