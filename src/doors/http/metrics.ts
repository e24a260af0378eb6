/** Upper bounds of the buckets of durations, in seconds. */
const BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1, 5, 30] as const

interface Durations {
  readonly buckets: number[]
  sum: number
  count: number
}

/** What a server has answered, counted since it started. */
export interface Metrics {
  /** @param seconds  until the head of the answer was ready; a stream goes on after it */
  answered(method: string, route: string, status: number, seconds: number): void
  /** Prometheus' text format, with gauges of this moment. */
  text(gauges: readonly Gauge[]): string
}

export interface Gauge {
  readonly name: string
  readonly about: string
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const durations = new Map<string, Durations>()
  return {
    answered: (method, route, status, seconds) => {
      const labels = labelled({ method, route, status: String(status) })
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
      const own = labelled({ route }).slice(1, -1)
      const known = durations.get(own) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 }
      for (const [at, bound] of BOUNDS.entries()) {
        if (seconds <= bound) known.buckets[at] = (known.buckets[at] ?? 0) + 1
      }
      known.sum += seconds
      known.count++
      durations.set(own, known)
    },
    text: (gauges) => {
      const lines = [
        ...head('pupil_http_requests_total', 'counter', 'Requests that were answered.'),
        ...[...requests].map(([labels, count]) => `pupil_http_requests_total${labels} ${count}`),
        ...head('pupil_http_seconds', 'histogram', 'Seconds until the head of the answer.'),
        ...[...durations].flatMap(([labels, one]) => histogram(labels, one)),
        ...gauges.flatMap(({ name, about, value, labels = {} }) => [
          ...head(name, 'gauge', about),
          `${name}${labelled(labels)} ${value}`,
        ]),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

function head(name: string, type: string, about: string): readonly string[] {
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`]
}

function histogram(labels: string, { buckets, sum, count }: Durations): readonly string[] {
  return [
    ...BOUNDS.map(
      (bound, at) => `pupil_http_seconds_bucket{${labels},le="${bound}"} ${buckets[at]}`,
    ),
    `pupil_http_seconds_bucket{${labels},le="+Inf"} ${count}`,
    `pupil_http_seconds_sum{${labels}} ${sum}`,
    `pupil_http_seconds_count{${labels}} ${count}`,
  ]
}

function labelled(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`,
  )
  return all.length === 0 ? '' : `{${all.join(',')}}`
}
