/** The metrics port over prom-client: a registry of its own, whose text is made from the cells at each scrape. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type {
  Count,
  Distribution,
  Family,
  LabelSet,
  Level,
  MetricReader,
  Metrics,
} from '../ports/metrics.ts';
import { BucketCell, CellFamily, NumberCell } from './metric-cells.ts';
import { answerMetrics, type WorkerChannel } from './worker-metrics.ts';

/** What a metric may be called. */
const NAME = /^tidegate_[a-z0-9]+(?:_[a-z0-9]+)*$/;

type Kind = 'counter' | 'gauge' | 'histogram' | 'watch';

/** A metric that was declared. */
interface Declared {
  readonly kind: Kind;
  readonly family: CellFamily<NumberCell> | CellFamily<BucketCell> | null;
}

export class PrometheusMetrics implements Metrics, MetricReader {
  readonly #registry = new Registry();
  readonly #declared = new Map<string, Declared>();
  readonly #readers = new Map<string, () => number>();

  /** The Content-Type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything measured, in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Adds the process's own metrics: CPU, memory, event loop, garbage collection. They run until the process ends. */
  measureProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** In a worker: sends its numbers to the first process, which shows the sums. */
  answerTo(channel: WorkerChannel): void {
    answerMetrics(this.#registry, channel);
  }

  counter<const Labels extends LabelSet>(name: string, help: string, labels: Labels): Family<Labels, Count> {
    if (!name.endsWith('_total')) throw new TypeError(`${name}: the name of a counter ends in _total`);
    const family = this.#family<NumberCell>(name, 'counter', labels, () => {
      const made = new CellFamily(Object.keys(labels), () => new NumberCell());
      const counter: Counter = new Counter({
        ...this.#options(name, help, made),
        collect() {
          counter.reset();
          for (const { labels: of, cell } of made.entries()) counter.inc(of, cell.value);
        },
      });
      return made;
    });
    return family.declared(name, labels);
  }

  gauge<const Labels extends LabelSet>(name: string, help: string, labels: Labels): Family<Labels, Level> {
    const family = this.#family<NumberCell>(name, 'gauge', labels, () => {
      const made = new CellFamily(Object.keys(labels), () => new NumberCell());
      const gauge: Gauge = new Gauge({
        ...this.#options(name, help, made),
        collect() {
          for (const { labels: of, cell } of made.entries()) gauge.set(of, cell.value);
        },
      });
      return made;
    });
    return family.declared(name, labels);
  }

  watch(name: string, help: string, read: () => number, among: 'sum' | 'average' = 'sum'): void {
    this.#readers.set(name, read);
    if (this.#isKnown(name, 'watch')) return;
    const readers = this.#readers;
    const gauge: Gauge = new Gauge({
      name,
      help,
      aggregator: among,
      registers: [this.#registry],
      collect() {
        gauge.set(readers.get(name)?.() ?? 0);
      },
    });
    this.#declared.set(name, { kind: 'watch', family: null });
  }

  histogram<const Labels extends LabelSet>(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: Labels,
  ): Family<Labels, Distribution> {
    const family = this.#family<BucketCell>(name, 'histogram', labels, () => {
      const made = new CellFamily(Object.keys(labels), () => new BucketCell(bounds));
      this.#registry.registerMetric(new CellHistogram({ name, help, bounds, family: made }));
      return made;
    });
    return family.declared(name, labels);
  }

  counts(name: string): ReturnType<MetricReader['counts']> {
    const { kind, family } = this.#declared.get(name) ?? {};
    return kind === 'counter' ? (family as CellFamily<NumberCell>).entries() : [];
  }

  distributions(name: string): ReturnType<MetricReader['distributions']> {
    const { kind, family } = this.#declared.get(name) ?? {};
    return kind === 'histogram' ? (family as CellFamily<BucketCell>).entries() : [];
  }

  #options(name: string, help: string, { labelNames }: CellFamily<NumberCell>) {
    return { name, help, labelNames: [...labelNames], registers: [this.#registry] };
  }

  #isKnown(name: string, kind: Kind): boolean {
    if (!NAME.test(name)) throw new TypeError(`${name} is no name of a metric: tidegate_ and snake_case`);
    const known = this.#declared.get(name);
    if (known !== undefined && known.kind !== kind) {
      throw new TypeError(`${name} is a ${known.kind} already, and no ${kind}`);
    }
    return known !== undefined;
  }

  #family<Cell extends NumberCell | BucketCell>(
    name: string,
    kind: Kind,
    labels: LabelSet,
    make: () => CellFamily<Cell>,
  ): CellFamily<Cell> {
    if (!this.#isKnown(name, kind)) {
      const family = make();
      this.#declared.set(name, { kind, family: family as Declared['family'] });
      return family;
    }
    const family = this.#declared.get(name)?.family as CellFamily<Cell>;
    const names = Object.keys(labels);
    if (
      names.length !== family.labelNames.length ||
      names.some((each) => !family.labelNames.includes(each))
    ) {
      throw new TypeError(`${name} has the labels ${family.labelNames.join(', ') || '(none)'}, not ${names}`);
    }
    return family;
  }
}

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly bounds: readonly number[];
  readonly family: CellFamily<BucketCell>;
}

/** A value in the form that the registry prints: its own labels and those of its family. */
interface PromValue {
  readonly labels: object;
  readonly sharedLabels: object;
}

/** prom-client's histogram, read from our cells: its own `observe` allocates objects and hashes labels each time. */
class CellHistogram extends Histogram {
  readonly #own: HistogramOptions;

  constructor(own: HistogramOptions) {
    super({
      name: own.name,
      help: own.help,
      buckets: [...own.bounds],
      labelNames: [...own.family.labelNames],
      registers: [],
    });
    this.#own = own;
  }

  /** Called by the registry. */
  async getForPromString(): Promise<object> {
    const { name, help, bounds, family } = this.#own;
    const values: object[] = [];
    for (const { labels: sharedLabels, cell } of family.entries()) {
      let count = 0;
      cell.counts.forEach((within, index) => {
        count += within;
        values.push({
          metricName: `${name}_bucket`,
          labels: { le: bounds[index] ?? '+Inf' },
          sharedLabels,
          value: count,
        });
      });
      values.push(
        { metricName: `${name}_sum`, labels: {}, sharedLabels, value: cell.sum },
        { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
      );
    }
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }

  /** The registry calls this for numbers that are added up over processes: there each value has all its labels. */
  override async get(): Promise<never> {
    const { values, ...metric } = (await this.getForPromString()) as { values: PromValue[] };
    const whole = values.map(({ labels, sharedLabels, ...value }) => ({
      ...value,
      labels: { ...sharedLabels, ...labels },
    }));
    return { ...metric, values: whole } as never;
  }
}
