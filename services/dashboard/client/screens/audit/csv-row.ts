/** An audit record as a row of a file: what the API says, by its own names. */
import type { AuditRecordView } from '../../api/wire.ts';
import type { Cell } from '../../exports/csv.ts';
import { actorIdOf } from './names.ts';

export const COLUMNS = [
  'id',
  'at',
  'actorKind',
  'actorId',
  'action',
  'targetId',
  'fields',
  'address',
  'requestId',
];

export function cellsOf(record: AuditRecordView): readonly Cell[] {
  const { id, at, actor, action, targetId, fields, address, requestId } = record;
  return [id, at, actor.kind, actorIdOf(record), action, targetId, fields.join(' '), address, requestId];
}
