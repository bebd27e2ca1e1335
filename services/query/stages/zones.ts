/** The time zones of a call: each is created once, since it caches its offsets. */
import { createZone, isZoneName, type Zone } from '../time/zone.ts';
import type { Faults } from './faults.ts';
import type { NamedValue } from './names.ts';
import { shown } from './shown.ts';

/** Returns the named zone, UTC when none is named; an unknown name is a fault. */
export function createZones(faults: Faults): (named: NamedValue | undefined) => Zone {
  const known = new Map<string, Zone>();

  function zoneOf(name: string): Zone {
    const zone = known.get(name) ?? createZone(name);
    known.set(name, zone);
    return zone;
  }

  return (named) => {
    if (named === undefined || isZoneName(named.text)) return zoneOf(named?.text ?? 'UTC');
    faults.add(named.field, `${shown(named.text)} is no IANA time zone such as Europe/Berlin.`);
    return zoneOf('UTC');
  };
}
