/** Writes small databases in MaxMind's format (MaxMind DB 2.0), so that tests need none of a vendor. */
import { isIPv4 } from 'node:net';

/** A value of a record; whole numbers are written as uint32. */
export type MmdbValue =
  | string
  | number
  | boolean
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue };

export interface MmdbOptions {
  /** Default GeoLite2-City. */
  readonly type?: string;
  /** 6 holds both kinds, IPv4 below `::/96`. Default 6. */
  readonly ipVersion?: 4 | 6;
  /** Bits of one of the two pointers of a node. Default 28. */
  readonly recordSize?: 24 | 28 | 32;
}

type Node = [Child, Child];
/** A node, the offset of a record in the data, or nothing. */
type Child = Node | number | null;

/** The bytes of a database of networks (`81.2.69.0/24`, `2001:db8::/32`), each with its record. */
export function mmdb(networks: Readonly<Record<string, MmdbValue>>, options: MmdbOptions = {}): Buffer {
  const { type = 'GeoLite2-City', ipVersion = 6, recordSize = 28 } = options;
  const root: Node = [null, null];
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const [network, record] of Object.entries(networks)) {
    const encoded = encode(record);
    put(root, bitsOf(network, ipVersion), dataBytes);
    data.push(encoded);
    dataBytes += encoded.length;
  }
  const nodes = [root];
  for (const node of nodes) for (const child of node) if (Array.isArray(child)) nodes.push(child);
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const value = (child: Child): number => {
    if (child === null) return nodes.length;
    return Array.isArray(child) ? (numbers.get(child) ?? 0) : nodes.length + 16 + child;
  };
  const tree = Buffer.concat(nodes.map(([left, right]) => record(value(left), value(right), recordSize)));
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_780_000_000,
    database_type: type,
    description: { en: 'made by a test' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: recordSize,
  });
  const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

/** A record as GeoLite2-City and DB-IP City have it. */
export function cityRecord(country: string, region?: string, city?: string): MmdbValue {
  return {
    country: { iso_code: country, names: { en: `Country ${country}`, de: 'Land' } },
    ...(region === undefined
      ? {}
      : { subdivisions: [{ iso_code: 'RG', names: { de: 'Region', en: region } }] }),
    ...(city === undefined ? {} : { city: { geoname_id: 42, names: { de: 'Stadt', en: city } } }),
    registered_country: { iso_code: 'ZA' },
  };
}

function put(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit as 0 | 1];
    const child: Node = Array.isArray(next) ? next : [null, null];
    node[bit as 0 | 1] = child;
    node = child;
  }
  node[bits.at(-1) as 0 | 1] = offset;
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', length = ''] = network.split('/');
  const bytes = isIPv4(address) ? address.split('.').map(Number) : bytesOfV6(address);
  const bits = bytes.flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map(Number));
  const chosen = bits.slice(0, Number(length));
  return isIPv4(address) && ipVersion === 6 ? [...Array<number>(96).fill(0), ...chosen] : chosen;
}

function bytesOfV6(address: string): number[] {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [head, tail] = [groups(left), groups(right)];
  const all = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return all.flatMap((group) => [group >> 8, group & 255]);
}

function record(left: number, right: number, bits: 24 | 28 | 32): Buffer {
  if (bits === 28) {
    const bytes = Buffer.alloc(7);
    bytes.writeUIntBE(left & 0xffffff, 0, 3);
    bytes[3] = ((left >>> 24) << 4) | (right >>> 24);
    bytes.writeUIntBE(right & 0xffffff, 4, 3);
    return bytes;
  }
  const bytes = Buffer.alloc(bits / 4);
  bytes.writeUIntBE(left, 0, bits / 8);
  bytes.writeUIntBE(right, bits / 8, bits / 8);
  return bytes;
}

const TEXT = 2;
const MAP = 7;
const UINT32 = 6;
const ARRAY = 11;
const BOOLEAN = 14;

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(TEXT, bytes.length), bytes]);
  }
  if (typeof value === 'boolean') return control(BOOLEAN, value ? 1 : 0);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(UINT32, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(ARRAY, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as Readonly<Record<string, MmdbValue>>);
  return Buffer.concat([
    control(MAP, entries.length),
    ...entries.flatMap(([k, v]) => [encode(k), encode(v)]),
  ]);
}

/** The control byte of a type with its size, which is below 285 here. */
function control(type: number, size: number): Buffer {
  const shown = size < 29 ? size : 29;
  const head = type <= 7 ? [(type << 5) | shown] : [shown, type - 7];
  return Buffer.from(size < 29 ? head : [...head, size - 29]);
}
