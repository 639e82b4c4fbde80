import { expect, it } from 'vitest';
import { createMetrics } from '#server/metrics.ts';
import type { FinishedRequest } from '#server/log.ts';

const request = (fields: Partial<FinishedRequest>): FinishedRequest =>
	({ method: 'GET', route: '/', status: 200, end: 'finished', ms: 250, ...fields }) as FinishedRequest;

it('counts requests and their time by method, route, status and end, in the format of Prometheus', () => {
	const metrics = createMetrics();
	metrics.count(request({}));
	metrics.count(request({ ms: 500 }));
	metrics.count(request({ method: 'POST', route: '/api/x', status: 500 }));
	expect(metrics.text()).toBe(
		[
			'# HELP sandglass_requests_total Finished requests.',
			'# TYPE sandglass_requests_total counter',
			'sandglass_requests_total{method="GET",route="/",status="200",end="finished"} 2',
			'sandglass_requests_total{method="POST",route="/api/x",status="500",end="finished"} 1',
			'# HELP sandglass_request_seconds_total Time spent on them.',
			'# TYPE sandglass_request_seconds_total counter',
			'sandglass_request_seconds_total{method="GET",route="/",status="200",end="finished"} 0.75',
			'sandglass_request_seconds_total{method="POST",route="/api/x",status="500",end="finished"} 0.25',
			''
		].join('\n')
	);
});

it('counts machines by type where there are any types', () => {
	const text = createMetrics(
		() =>
			new Map([
				['docker', 2],
				['host', 0]
			])
	).text();
	expect(text).toContain(
		'# HELP sandglass_machines Machines that exist.\n# TYPE sandglass_machines gauge\nsandglass_machines{type="docker"} 2\nsandglass_machines{type="host"} 0\n'
	);
	expect(createMetrics().text()).not.toContain('machines');
});
