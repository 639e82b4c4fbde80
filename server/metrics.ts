import type { FinishedRequest } from './log.ts';

/** Counters for Prometheus, served at `/metrics` when `SANDGLASS_METRICS=1`. */
export interface Metrics {
	count(request: FinishedRequest): void;
	/** Prometheus text format, version 0.0.4. */
	text(): string;
}

/** @param machines number of machines by type */
export function createMetrics(machines: () => ReadonlyMap<string, number> = () => new Map()): Metrics {
	const requests = new Map<string, { count: number; ms: number }>();
	return {
		count({ method, route, status, end, ms }) {
			const labels = `method="${method}",route="${route}",status="${status}",end="${end}"`;
			const known = requests.get(labels) ?? { count: 0, ms: 0 };
			requests.set(labels, { count: known.count + 1, ms: known.ms + ms });
		},
		text() {
			const lines = ['# HELP sandglass_requests_total Finished requests.', '# TYPE sandglass_requests_total counter'];
			for (const [labels, { count }] of requests) lines.push(`sandglass_requests_total{${labels}} ${count}`);
			lines.push('# HELP sandglass_request_seconds_total Time spent on them.');
			lines.push('# TYPE sandglass_request_seconds_total counter');
			for (const [labels, { ms }] of requests) lines.push(`sandglass_request_seconds_total{${labels}} ${ms / 1000}`);
			const counts = machines();
			if (counts.size > 0)
				lines.push('# HELP sandglass_machines Machines that exist.', '# TYPE sandglass_machines gauge');
			for (const [type, count] of counts) lines.push(`sandglass_machines{type="${type}"} ${count}`);
			return `${lines.join('\n')}\n`;
		}
	};
}
