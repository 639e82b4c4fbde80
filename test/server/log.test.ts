import { once } from 'node:events';
import http from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cookiesNamed, maxHeaderBytes } from '#server/cookies.ts';
import { logToStdout, routeName, type FinishedRequest } from '#server/log.ts';
import { createMetrics } from '#server/metrics.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass, startUpstream } from './start.ts';

it('names routes, never the ids and names in paths', () => {
	const routes = [
		'llm',
		'git',
		'archive',
		'npm',
		'fetch',
		'egress',
		'github',
		'machines',
		'shares',
		'health',
		'config'
	];
	for (const route of routes) expect(routeName(`/api/${route}/secret-id`)).toBe(`/api/${route}`);
	for (const path of ['/runner', '/preview-frame', '/metrics']) expect(routeName(path)).toBe(path);
	expect(routeName('/runner/x')).toBe('/runner');
	expect(routeName('/api/unknown/secret-id')).toBe('/api/*');
	expect(routeName('/api')).toBe('/api/*');
	expect(routeName('/s/secret-id')).toBe('/*');
	expect(routeName('/')).toBe('/*');
});

it('logs each request once it is over, and whether its answer arrived whole', async () => {
	const { url } = await startUpstream((request, response) => {
		request.resume();
		response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
	});
	const server = await startSandglass({ ANTHROPIC_API_KEY: 'sk-server-secret-0123456789', ANTHROPIC_BASE_URL: url });
	const start = performance.now();
	await ask(`${server.url}/api/health?secret=1`);
	const leaving = http.request(`${server.url}/api/llm/anthropic/v1/messages`, { method: 'POST' });
	leaving.end('{}');
	const [answer] = (await once(leaving, 'response')) as [http.IncomingMessage];
	answer.on('error', () => undefined).destroy();
	const lines = () =>
		server.logged.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ route }) => route);
	await vi.waitFor(() => expect(lines()).toHaveLength(2));
	expect(lines()).toEqual([
		expect.objectContaining({ method: 'GET', route: '/api/health', status: 200, end: 'whole' }),
		expect.objectContaining({ method: 'POST', route: '/api/llm', status: 200, end: 'cut' })
	]);
	const longestMs = Math.ceil(performance.now() - start);
	for (const { id, ms } of lines())
		expect([typeof id, Number(ms) >= 0, Number(ms) <= longestMs]).toEqual(['string', true, true]);
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

it('writes a line of JSON for each request', () => {
	const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
	onTestFinished(() => write.mockRestore());
	logToStdout({ time: 'now', to: undefined, ms: 1 });
	expect(write.mock.calls).toEqual([['{"time":"now","ms":1}\n']]);
});
