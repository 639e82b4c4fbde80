import { expect, it } from 'vitest';
import { Budget } from '#agent/budget.ts';
import { MeteredClient } from '#agent/metered-client.ts';
import type { Request, Usage } from '#llm/types.ts';
import { FakeClient } from './fake-client.ts';

const request: Request = { provider: 'p', model: 'm', messages: [] };

it('counts what requests beside the conversation cost, and refuses them once the cap is reached', async () => {
	const limits = { spendingCapUsd: 1, spentBesideUsd: 0 };
	const counted: Usage[] = [];
	const budget = new Budget(
		() => limits,
		() => undefined
	);
	const inner = new FakeClient([{ text: 'Streamed.' }]);
	const client = new MeteredClient(inner, budget, (usage) => counted.push(usage));
	const { usage } = await client.complete(request);
	expect(counted).toEqual([usage]);
	const types: string[] = [];
	for await (const { type } of client.stream(request)) types.push(type);
	expect([types.at(-1), counted.length]).toEqual(['finish', 1]);
	limits.spentBesideUsd = 1;
	await expect(client.complete(request)).rejects.toMatchObject({
		name: 'SpendingCapError',
		message: 'The spending cap of $1 is reached. Raise it to go on.'
	});
	expect([inner.completions.length, counted.length]).toEqual([1, 1]);
});
