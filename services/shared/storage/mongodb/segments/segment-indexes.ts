/** The indexes of segment sets and of their files. */
import type { IndexDeclaration } from '../indexes.ts';
import { SEGMENT_CHUNK_COLLECTION, SEGMENT_FILE_COLLECTION } from './segment-files.ts';
import { SEGMENT_SET_COLLECTION } from './segment-sets.ts';

export const SEGMENT_INDEXES: readonly IndexDeclaration[] = [
  {
    collection: SEGMENT_SET_COLLECTION,
    name: 'organization',
    key: { organization_id: 1 },
    comment: 'the partitions of an organization, when its events are erased',
  },
  {
    collection: SEGMENT_SET_COLLECTION,
    name: 'fresh',
    key: { fresh: -1 },
    comment: 'partitions that need a build most',
  },
  {
    collection: SEGMENT_SET_COLLECTION,
    name: 'damaged',
    key: { damaged: -1 },
    comment: 'partitions with segments that an operator must restore',
  },
  {
    collection: SEGMENT_FILE_COLLECTION,
    name: 'filename_1_uploadDate_1',
    key: { filename: 1, uploadDate: 1 },
    comment: 'every bucket of GridFS has it',
  },
  {
    collection: SEGMENT_CHUNK_COLLECTION,
    name: 'files_id_1_n_1',
    key: { files_id: 1, n: 1 },
    unique: true,
    comment: 'the pieces of a file, in order',
  },
];
