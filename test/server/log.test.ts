import { expect, it } from 'vitest';
import { cookiesNamed, maxHeaderBytes } from '#server/cookies.ts';
import { routeName, type FinishedRequest } from '#server/log.ts';
import { createMetrics } from '#server/metrics.ts';

it('names routes, never the ids and names in paths', () => {
	for (const route of ['llm', 'git', 'archive', 'npm', 'fetch', 'egress', 'shares', 'health', 'config'])
		expect(routeName(`/api/${route}/secret-id`)).toBe(`/api/${route}`);
	for (const path of ['/runner', '/preview-frame', '/metrics']) expect(routeName(path)).toBe(path);
	expect(routeName('/runner/x')).toBe('/runner');
	expect(routeName('/api/unknown/secret-id')).toBe('/api/*');
	expect(routeName('/api')).toBe('/api/*');
	expect(routeName('/s/secret-id')).toBe('/*');
	expect(routeName('/')).toBe('/*');
});

it('counts requests and machines for Prometheus', () => {
	const request: FinishedRequest = { id: 'i', method: 'GET', route: '/api/llm', status: 200, end: 'whole', ms: 1_500 };
	const metrics = createMetrics(() => new Map([['docker', 2]]));
	metrics.count(request);
	metrics.count({ ...request, ms: 250 });
	metrics.count({ ...request, status: 502, end: 'cut', ms: 10 });
	expect(metrics.text().split('\n')).toEqual([
		'# HELP sandglass_requests_total Finished requests.',
		'# TYPE sandglass_requests_total counter',
		'sandglass_requests_total{method="GET",route="/api/llm",status="200",end="whole"} 2',
		'sandglass_requests_total{method="GET",route="/api/llm",status="502",end="cut"} 1',
		'# HELP sandglass_request_seconds_total Time spent on them.',
		'# TYPE sandglass_request_seconds_total counter',
		'sandglass_request_seconds_total{method="GET",route="/api/llm",status="200",end="whole"} 1.75',
		'sandglass_request_seconds_total{method="GET",route="/api/llm",status="502",end="cut"} 0.01',
		'# HELP sandglass_machines Machines that exist.',
		'# TYPE sandglass_machines gauge',
		'sandglass_machines{type="docker"} 2',
		''
	]);
	expect(createMetrics().text()).not.toContain('sandglass_machines');
});

it('reads every cookie of a name, whoever set it', () => {
	expect(cookiesNamed('a=1; session=x; b=2;session=y=z; xsession=no', 'session')).toEqual(['x', 'y=z']);
	expect(cookiesNamed(undefined, 'session')).toEqual([]);
	expect(cookiesNamed('', '')).toEqual([]);
});

it('takes large headers on this machine only', () => {
	expect(maxHeaderBytes('localhost')).toBe(1_048_576);
	expect(maxHeaderBytes('127.0.0.1')).toBe(1_048_576);
	expect(maxHeaderBytes('0.0.0.0')).toBeUndefined();
});
