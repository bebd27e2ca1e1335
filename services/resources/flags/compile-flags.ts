/** Makes the flags that a client sees ready for evaluating, once for many calls: what is absent is left out, dependencies are linked. */
import type { Flag, FlagRule, TargetGroup } from '../../shared/model/flag.ts';
import { type CompiledFlag, type CompiledGroup, type CompiledRule, textOf } from './evaluate-flag.ts';

/** Flags by key. */
export type FlagsByKey = ReadonlyMap<string, CompiledFlag>;

/** What a client sees, by environment; null for callers that name none. */
export type ClientFlags = ReadonlyMap<string | null, FlagsByKey>;

export interface FlagSources {
  /** The organization's flags, and those of the website that is the client, of every status. */
  readonly flags: readonly Flag[];
  /** Target groups by identifier; one that is not there matches nobody. */
  readonly groups: ReadonlyMap<string, TargetGroup>;
}

type Linking = { -readonly [Name in keyof CompiledFlag]: CompiledFlag[Name] };

/**
 * The active flags, each environment by itself. A website's flag hides the organization's of the same key, also where a
 * flag of the website depends on it; the organization's flags depend on each other alone.
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
      const seen = new Map([...organization, ...website]);
      link(inIt, organization, website, seen);
      return [environment, seen];
    }),
  );
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
