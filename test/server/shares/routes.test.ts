import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ShareRecord, ShareStore } from '#server/shares/store.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startSandglass } from '../start.ts';

const YEAR_S = 31_536_000;

/** A server with a store that has every share requested, and the ids of those. */
async function start() {
	const opened: string[] = [];
	const created: ShareRecord[] = [];
	const shares: ShareStore = {
		create: async (_id, record, body) => {
			created.push(record);
			await body.toArray();
		},
		open: async (id) => {
			opened.push(id);
			return { record: { expiresAt: 0, deleteHash: 'f'.repeat(64) }, bytes: 1, body: () => Readable.from(['x']) };
		},
		delete: async () => {},
		sweep: async () => 0
	};
	const { url } = await startSandglass({}, { shares });
	return { url: `${url}/api/shares`, opened, created };
}

describe('the routes of shares', () => {
	it('look for shares by whole ids only, and say that others are gone', async () => {
		const { url, opened } = await start();
		const id = 'A_-'.repeat(7) + '0';
		for (const other of [id.slice(1), `${id}0`, `.${id}`, `${id}.`, `0${id}`]) {
			const answer = await ask(`${url}/${other}`);
			expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([404, 'share_gone']);
			expect(JSON.parse(answer.text).error.message).toBe(
				'This share does not exist. It has expired, was deleted, or the link is incomplete.'
			);
		}
		expect(opened).toEqual([]);
		expect(await ask(`${url}/${id}`)).toMatchObject({
			text: 'x',
			headers: { 'content-type': 'application/octet-stream', 'content-length': '1' }
		});
		expect(opened).toEqual([id]);
	});

	it('let a share last from a second to a year, a month unless told', async () => {
		const { url, created } = await start();
		const put = (query: string) => ask(`${url}${query}`, { method: 'PUT', body: 'x' });
		for (const [query, seconds] of [
			['?expires=1', 1],
			[`?expires=${YEAR_S}`, YEAR_S],
			['', 30 * 86_400]
		] as const) {
			const before = Date.now();
			const answer = await put(query);
			expect(answer.status).toBe(201);
			const { expiresAt } = JSON.parse(answer.text);
			expect(created.at(-1)?.expiresAt).toBe(expiresAt);
			expect(expiresAt - seconds * 1000).toBeGreaterThanOrEqual(before);
			expect(expiresAt - seconds * 1000).toBeLessThanOrEqual(Date.now());
		}
		for (const seconds of ['0', '1.5', 'x', String(YEAR_S + 1)]) {
			const answer = await put(`?expires=${seconds}`);
			expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([400, 'expiry_invalid']);
			expect(JSON.parse(answer.text).error.message).toBe('A share can last from 1 to 31536000 seconds (a year).');
		}
	});

	it('say who may delete a share', async () => {
		const { url } = await start();
		const answer = await ask(`${url}/${'a'.repeat(22)}`, { method: 'DELETE', headers: { 'x-delete-token': 'guess' } });
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([403, 'delete_refused']);
		expect(JSON.parse(answer.text).error.message).toBe(
			'Only the creator of a share can delete it, with the token they received.'
		);
	});
});
