/** The files of segments in GridFS: written whole to a majority, and read only as they were written. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { mongo } from 'mongoose';
import { DamagedSegment, type Segment } from '../../columns/segment-set.ts';
import { majorityWithin } from '../answered-within.ts';
import { answering } from '../outage.ts';

/** The bucket: its files are in `segments.files`, their pieces in `segments.chunks`. */
export const SEGMENT_BUCKET = 'segments';
export const SEGMENT_FILE_COLLECTION = `${SEGMENT_BUCKET}.files`;
export const SEGMENT_CHUNK_COLLECTION = `${SEGMENT_BUCKET}.chunks`;

/** Bytes of a piece: fewer, larger documents than GridFS makes by itself. */
const CHUNK_BYTES = 1_048_576;

/** How long the write of one piece waits for its majority, in milliseconds. */
const WRITE_MS = 30_000;

/** How long a read may take on the server, in milliseconds. */
const READ_MS = 30_000;

/** A file, or what is left of one whose upload or removal ended early. */
export interface StoredFile {
  readonly id: string;
  /** When its upload began, in epoch milliseconds by the clock of the process that uploaded it. */
  readonly at: number;
}

export class SegmentFiles {
  readonly #bucket: mongo.GridFSBucket;
  readonly #files: mongo.Collection;
  readonly #chunks: mongo.Collection;

  constructor(database: mongo.Db) {
    this.#bucket = new mongo.GridFSBucket(database, {
      bucketName: SEGMENT_BUCKET,
      chunkSizeBytes: CHUNK_BYTES,
      readPreference: mongo.ReadPreference.primary,
      ...majorityWithin(WRITE_MS),
    });
    this.#files = database.collection(SEGMENT_FILE_COLLECTION);
    this.#chunks = database.collection(SEGMENT_CHUNK_COLLECTION);
  }

  /**
   * Stores the file at `path` and resolves with its new id once a majority has all of it.
   * @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason; what was stored by then is removed, now or as garbage
   */
  async put(path: string, signal?: AbortSignal): Promise<string> {
    const id = new mongo.ObjectId();
    const upload = this.#bucket.openUploadStreamWithId(id, id.toHexString());
    try {
      await answering(() =>
        pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), upload, { signal }),
      );
      return id.toHexString();
    } catch (fault) {
      await upload.abort().catch(() => undefined);
      throw signal?.aborted ? signal.reason : fault;
    }
  }

  /**
   * Brings a file to `path`, where it appears only when it is whole and right.
   * @throws DamagedSegment; ApiError SERVICE_UNAVAILABLE; the signal's reason
   */
  async get(
    { id, bytes, sha256 }: Pick<Segment, 'id' | 'bytes' | 'sha256'>,
    path: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const part = `${path}.${randomUUID()}.part`;
    const hash = createHash('sha256');
    let received = 0;
    const download = this.#bucket.openDownloadStream(toObjectId(id));
    try {
      await answering(() =>
        pipeline(
          download,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              received += chunk.length;
              hash.update(chunk);
              yield chunk;
            }
          },
          createWriteStream(part, { flags: 'wx', mode: 0o600 }),
          { signal },
        ),
      );
      if (received !== bytes) throw new DamagedSegment(id, `has ${received} bytes instead of ${bytes}`);
      if (hash.digest('hex') !== sha256) throw new DamagedSegment(id, 'is not as it was written');
      await rename(part, path);
    } catch (fault) {
      await rm(part, { force: true });
      if (signal?.aborted) throw signal.reason;
      throw damageIn(id, fault) ?? fault;
    }
  }

  /** Removes files, or what is left of them; those that are not there are passed over. */
  async remove(ids: readonly string[]): Promise<void> {
    const listed = ids.map(toObjectId);
    await answering(async () => {
      // In this order: a file without pieces would look damaged, pieces without a file are garbage.
      await this.#files.deleteMany({ _id: { $in: listed } }, majorityWithin(WRITE_MS));
      await this.#chunks.deleteMany({ files_id: { $in: listed } }, majorityWithin(WRITE_MS));
    });
  }

  /** Everything that takes room in the bucket, one lookup in an index after the other. */
  async *list(signal?: AbortSignal): AsyncGenerator<StoredFile> {
    const options = { projection: { _id: 0, files_id: 1 }, sort: { files_id: 1 } } as const;
    let last: mongo.ObjectId | null = null;
    for (;;) {
      signal?.throwIfAborted();
      const filter: mongo.Filter<mongo.Document> = last === null ? {} : { files_id: { $gt: last } };
      const found = await answering(() =>
        this.#chunks.findOne(filter, { ...options, readPreference: 'primary', maxTimeMS: READ_MS }),
      );
      if (found === null) return;
      last = found.files_id as mongo.ObjectId;
      yield { id: last.toHexString(), at: last.getTimestamp().getTime() };
    }
  }
}

/** @throws DamagedSegment for an id that {@link SegmentFiles.put} never made */
function toObjectId(id: string): mongo.ObjectId {
  if (!/^[0-9a-f]{24}$/.test(id)) throw new DamagedSegment(id, 'has no name of a file');
  return mongo.ObjectId.createFromHexString(id);
}

/** The damage that a fault of GridFS tells of, or null. */
function damageIn(id: string, fault: unknown): DamagedSegment | null {
  if (fault instanceof mongo.MongoGridFSChunkError) return new DamagedSegment(id, 'lacks a piece');
  const isMissing =
    fault instanceof mongo.MongoRuntimeError && (fault as { code?: unknown }).code === 'ENOENT';
  return isMissing ? new DamagedSegment(id, 'is missing') : null;
}
