import http from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { noRedis, startRedis } from '../limits/redis.ts';
import { startS3 } from '../s3/s3-server.ts';
import { startUpstream } from '../start.ts';
import { noNginx, startNginx, through, type Answered } from './nginx.ts';
import { serve } from './serve.ts';

const TOKEN = 'a-token-of-this-test-0123456789';
const STREAMS = 24;
const missing = noNginx ?? noRedis;

it.skipIf(missing)(
	`goes on when one of two servers is killed in mid-load: no share is lost, limits hold for both, the other's streams end well, and a lost Redis closes budgets${missing ? `: ${missing}` : ''}`,
	async () => {
		const redis = await startRedis();
		onTestFinished(redis.stop);
		const { bucket } = await startS3();
		const open = new Set<http.ServerResponse>();
		const provider = await startUpstream((request, response) => {
			request.resume();
			response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
			open.add(response);
			response.once('close', () => open.delete(response));
		});
		const start = () =>
			serve({
				SANDGLASS_TOKEN: TOKEN,
				SANDGLASS_HOSTS: 'sandglass.test',
				SANDGLASS_TRUST_PROXY: '1',
				SANDGLASS_DAILY_USD: '1000',
				ANTHROPIC_API_KEY: 'sk-of-this-test',
				ANTHROPIC_BASE_URL: provider.url,
				REDIS_URL: redis.url,
				S3_ENDPOINT: bucket.endpoint,
				S3_BUCKET: bucket.bucket,
				S3_ACCESS_KEY_ID: bucket.accessKeyId,
				S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
				S3_REGION: bucket.region
			});
		const [doomed, living] = await Promise.all([start(), start()]);
		const nginx = await startNginx([doomed.url, living.url]);
		const known = { 'x-sandglass-token': TOKEN };
		const guess = async () =>
			(await through(nginx, { path: '/api/config', headers: { 'x-sandglass-token': 'a guess' } })).status;
		const message = (begun?: (headers: http.IncomingHttpHeaders) => void) =>
			through(nginx, { method: 'POST', path: '/api/llm/anthropic/v1/messages', body: '{}', headers: known }, begun);

		// Streams on both, uploads while one of them dies, six of the ten wrong tokens per minute.
		const servedBy: http.IncomingHttpHeaders[] = [];
		const streams = Array.from({ length: STREAMS }, () => message((headers) => void servedBy.push(headers)));
		await vi.waitFor(() => expect(servedBy).toHaveLength(STREAMS), 10_000);
		const before: number[] = [];
		for (let tries = 0; tries < 6; tries += 1) before.push(await guess());
		expect(before).toEqual(Array(6).fill(401));
		const upload = async (index: number): Promise<{ id: string; body: string } | undefined> => {
			const body = `share ${index} `.repeat(2_000);
			const client = `10.1.0.${index}`;
			const asked = through(nginx, { method: 'PUT', path: '/api/shares', body, client, headers: known });
			const answer = await asked.catch(() => undefined); // its server was killed: nothing was promised
			return answer?.status === 201 && answer.whole ? { id: JSON.parse(answer.text).id, body } : undefined;
		};
		const uploads = Array.from({ length: 10 }, (_, index) => upload(index));
		await uploads[0];
		const killed = doomed.kill('SIGKILL');
		uploads.push(...Array.from({ length: 10 }, (_, index) => upload(10 + index)));
		await killed;
		const later = await Promise.all(Array.from({ length: 10 }, (_, index) => upload(20 + index)));
		expect(later.every((each) => each !== undefined)).toBe(true); // the surviving server takes all of them

		const kept = [...(await Promise.all(uploads)), ...later].filter((each) => each !== undefined);
		for (const { id, body } of kept) {
			const share = await through(nginx, { path: `/api/shares/${id}`, headers: known });
			expect([share.status, share.text === body]).toEqual([200, true]);
		}

		await vi.waitFor(() => expect(open.size).toBeLessThan(STREAMS), 10_000); // the dead one's calls are gone
		for (const response of open) response.end('data: last\n\n');
		const ends: Answered[] = await Promise.all(streams);
		const of = ({ url }: { url: string }) => ends.filter(({ headers }) => headers['x-served-by'] === new URL(url).host);
		expect(of(doomed).length).toBeGreaterThan(0);
		expect(of(living).length).toBeGreaterThan(0);
		for (const { text, whole } of of(living)) expect([text, whole]).toEqual(['data: first\n\ndata: last\n\n', true]);
		for (const { whole } of of(doomed)) expect(whole).toBe(false); // never taken for a complete answer

		const after: number[] = [];
		for (let tries = 0; tries < 5; tries += 1) after.push(await guess());
		expect(after).toEqual([401, 401, 401, 401, 429]);

		const health = async () => JSON.parse((await through(nginx, { path: '/api/health' })).text);
		expect(await health()).toMatchObject({ status: 'ready', limits: expect.stringContaining('in Redis') });
		await redis.stop();
		await vi.waitFor(async () => expect(await health()).toMatchObject({ status: 'degraded' }), 10_000);
		expect((await message()).status).toBe(503); // its cost cannot be counted
		expect((await through(nginx, { path: '/api/config', headers: known })).status).toBe(200);
	},
	60_000
);
