import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerContext } from '#server/context.ts';
import { createQuota } from '#server/shares/quota.ts';

let counted: [string, number][];
let totals: Map<string, number>;
beforeEach(() => {
	counted = [];
	totals = new Map();
});
const counter = {
	add: async (key: string, amount: number) => {
		counted.push([key, amount]);
		totals.set(key, (totals.get(key) ?? 0) + amount);
		return { total: totals.get(key) ?? 0, resetMs: 5_400_001 };
	}
};
const context = (length?: string): ServerContext =>
	({
		get: (name: string) => (name === 'client' ? 'client' : undefined),
		req: { header: (name: string) => (name === 'content-length' ? length : undefined) }
	}) as unknown as ServerContext;
const quota = createQuota(counter as never, { count: 2, bytes: 100 }, 60);

describe('the quota of shares', () => {
	it.each<[string | undefined, number]>([
		['0', 0],
		['60', 60],
		['61', 60],
		['-1', 60],
		['1.5', 60],
		['x', 60],
		[undefined, 60]
	])('counts a length of %j as %i bytes', async (length, bytes) => {
		await quota(context(length));
		expect(counted).toEqual([
			['count:client', 1],
			['bytes:client', bytes]
		]);
	});

	it('is so many shares and so many bytes a day, and says when to come again', async () => {
		await quota(context('50'));
		await quota(context('50'));
		await expect(quota(context('0'))).rejects.toMatchObject({
			status: 429,
			code: 'share_quota',
			message: 'Too much was shared from this address today. Try again in 2 h.',
			headers: { 'Retry-After': '5401' }
		});
		totals.clear();
		await quota(context('60'));
		await expect(quota(context('41'))).rejects.toMatchObject({ status: 429 });
	});
});
