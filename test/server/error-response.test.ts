import { describe, expect, it } from 'vitest';
import { Refusal } from '#server/refusal.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startRoutes } from './start.ts';

async function start(error: Error) {
	const { url, logged } = await startRoutes((app) =>
		app.get('/', (c) => {
			c.set('log', { to: 'host.example' });
			throw error;
		})
	);
	return { answer: await ask(url), logged };
}

describe('a request that fails', () => {
	it('is refused in the words, the status and the headers of the refusal', async () => {
		const { answer, logged } = await start(new Refusal(429, 'rate_limited', 'Too many.', { 'Retry-After': '7' }));
		expect([answer.status, JSON.parse(answer.text)]).toEqual([
			429,
			{ error: { type: 'rate_limited', message: 'Too many.' } }
		]);
		expect(answer.headers).toMatchObject({
			'retry-after': '7',
			'x-sandglass-error': 'rate_limited',
			'cache-control': 'no-store',
			'content-type': 'application/json',
			'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/)
		});
		await expect
			.poll(() => logged)
			.toEqual([expect.objectContaining({ to: 'host.example', refused: 'rate_limited', status: 429 })]);
	});

	it('tells the cause of a refusal to the log alone', async () => {
		const cause = new Error('connect ECONNREFUSED 10.0.0.1');
		const { answer, logged } = await start(new Refusal(502, 'upstream_unreachable', 'Not reached.', {}, cause));
		expect(answer.text).not.toContain('10.0.0.1');
		expect(logged[0]).toEqual({
			time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
			id: answer.headers['x-request-id'],
			error: 'upstream_unreachable',
			cause: 'Error: connect ECONNREFUSED 10.0.0.1'
		});
	});

	it('by a fault of ours says nothing of it, and the log has the place', async () => {
		const fault = new TypeError('secret is not a function');
		const { answer, logged } = await start(fault);
		expect([answer.status, JSON.parse(answer.text)]).toEqual([
			500,
			{
				error: { type: 'internal', message: 'Something went wrong in this server. See its log for the cause.' }
			}
		]);
		expect(logged[0]).toEqual({
			time: expect.any(String),
			id: answer.headers['x-request-id'],
			error: 'TypeError',
			stack: fault.stack
		});
	});

	it('is no fault of ours where its caller has left', async () => {
		const { url, logged } = await startRoutes((app) =>
			app.get('/', (c) => {
				c.env.outgoing.destroy();
				throw new TypeError('The stream was destroyed.');
			})
		);
		await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
		await expect.poll(() => logged).toEqual([expect.objectContaining({ refused: 'caller_gone' })]);
	});
});
