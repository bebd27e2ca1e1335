/** Indexes as data: what is declared, what a database lacks of it, and how it gets it. */
import type { Connection, mongo } from 'mongoose';

/** One index of one collection. */
export interface IndexDeclaration {
  readonly collection: string;
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** Documents without any of its fields do not take part: a null is left out of the document. */
  readonly sparse?: true;
  /** Documents leave this many seconds after the instant in their field. */
  readonly expireAfterSeconds?: number;
  /** Which reads it serves. */
  readonly comment: string;
}

/** For a command that may take hours, of which the server says nothing meanwhile: the silence that ends others is no fault of it. */
const NO_SILENCE_ENDS_IT = { socketTimeoutMS: 0 } as const;

/** The declared indexes that the database lacks. @throws Error when one of the name is there with other fields or options */
export async function missingIndexes(
  connection: Connection,
  declarations: readonly IndexDeclaration[],
): Promise<IndexDeclaration[]> {
  const missing: IndexDeclaration[] = [];
  for (const collection of new Set(declarations.map((one) => one.collection))) {
    const declared = declarations.filter((one) => one.collection === collection);
    const present = await indexesOf(connection, collection);
    for (const declaration of declared) {
      const found = present.find(({ name }) => name === declaration.name);
      if (found === undefined) missing.push(declaration);
      else requireEqual(found, declaration);
    }
  }
  return missing;
}

/**
 * Makes one. Where documents are already there it may take hours, in which reads and writes go on. It is not given up while
 * the server lives, which the monitor of the connection watches.
 */
export async function createIndex(
  connection: Connection,
  { collection, key, comment: _, name, ...options }: IndexDeclaration,
): Promise<void> {
  const asked = { name, ...options, ...NO_SILENCE_ENDS_IT };
  await connection.collection(collection).createIndex({ ...key }, asked);
}

async function indexesOf(connection: Connection, collection: string): Promise<mongo.IndexDescriptionInfo[]> {
  try {
    return await connection.collection(collection).indexes();
  } catch (fault) {
    // NamespaceNotFound: the collection comes with its first index.
    if ((fault as { code?: unknown }).code === 26) return [];
    throw fault;
  }
}

function requireEqual(found: mongo.IndexDescriptionInfo, declared: IndexDeclaration): void {
  const text = (index: Partial<IndexDeclaration> | mongo.IndexDescriptionInfo): string =>
    JSON.stringify([
      Object.entries(index.key ?? {}),
      index.unique ?? false,
      index.sparse ?? false,
      index.expireAfterSeconds ?? null,
    ]);
  if (text(found) === text(declared)) return;
  throw new Error(
    `the index ${declared.name} of ${declared.collection} is not as declared: there it is ${text(found)}, it should be ${text(declared)}; drop it, then run tidegate migrate`,
  );
}
