import { describe, expect, it } from 'vitest';
import { MemoryLog, suggestTitle } from '#agent/index.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { calls, costs, family, nestedIn, profile, spawns, taskRequests, waits } from './fake-family.ts';
import { fakeSession, ofType } from './fake-session.ts';

describe('the spending cap of a family', () => {
	it('stops two subagents that cross it at the same time', async () => {
		let inFlight = 0;
		let both: () => void;
		const together = new Promise<void>((resolve) => (both = resolve));
		const meets = async (): Promise<void> => {
			if (++inFlight === 2) both();
			await together;
		};
		const task = (): FakeTurn[] => [
			costs({ ...calls('look'), onRequest: meets }, 0.6),
			...Array.from({ length: 4 }, () => costs(calls('look'), 0.6)),
			{ text: 'never' }
		];
		const { session, client, seen } = await family({ One: task(), Two: task() }, { spendingCapUsd: 1 }, [
			spawns('One'),
			spawns('Two'),
			waits(0),
			waits(1),
			{ text: 'never' }
		]);
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
		const ofTasks = client.requests.filter(({ messages }) => /"(One|Two)"/.test(JSON.stringify(messages[0])));
		expect(ofTasks).toHaveLength(2);
		expect(ofType(nestedIn(seen), 'turn_limit')).toHaveLength(2);
		expect(ofType(seen, 'turn_limit')).toMatchObject([{ limit: 1 }]);
	});

	it('counts subagents of subagents, also after the session was opened again', async () => {
		const log = new MemoryLog();
		const { session, seen } = await family(
			{
				Middle: [spawns('Inner'), waits(1), { text: 'Ok.' }],
				Inner: [costs(calls('look'), 2), { text: 'never' }]
			},
			{ maxSubagentDepth: 2, spendingCapUsd: 1, log },
			[spawns('Middle'), waits(), { text: 'never' }]
		);
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
		expect(ofType(nestedIn(seen), 'turn_limit')).toHaveLength(2);
		await session.close();
		const again = await fakeSession([{ text: 'never' }], { profile, spendingCapUsd: 1, log });
		expect((await again.session.submit('Go on').result).stopReason).toBe('turn_limit');
		expect(again.client.requests).toHaveLength(0);
	});

	it('raised or lowered in the parent holds for subagents at work', async () => {
		const { session, client } = await family(
			{ Task: [{ ...costs(calls('look'), 0.5), onRequest: () => session.configure({ spendingCapUsd: 0.4 }) }] },
			{ spendingCapUsd: 100 },
			[spawns('Task'), waits(), { text: 'never' }]
		);
		expect((await session.submit('Go').result).stopReason).toBe('turn_limit');
		expect(taskRequests(client, 'Task')).toBe(1);
	});

	it('counts summaries and titles, and refuses them when it is reached', async () => {
		const { session, client, seen } = await fakeSession([{ text: 'One. '.repeat(400) }, { text: 'Two.' }], {
			client: new CostlyClient([{ text: 'One. '.repeat(400) }, { text: 'Two.' }]),
			spendingCapUsd: 1
		});
		await session.submit('Go. '.repeat(400)).result;
		await session.submit('Go on').result;
		expect(await session.compact()).toBe(true);
		expect(ofType(seen, 'usage').at(-1)).toMatchObject({ purpose: 'side_request', usage: { costUsd: 0.6 } });
		expect(await suggestTitle(session.client, session.profile, 'Fix it')).toBe('A summary');
		expect((await session.submit('More').result).stopReason).toBe('turn_limit');
		expect(await suggestTitle(session.client, session.profile, 'Fix that')).toBe('Fix that');
		expect(client.completions).toHaveLength(2);
	});

	it('warns once that it cannot hold for a model without a price, whichever member uses it', async () => {
		const task = [costs(calls('look'), null), costs({ text: 'Ok.' }, null)];
		const { session, seen } = await family({ Task: task }, { spendingCapUsd: 1 }, [
			spawns('Task', { model: 'no-price-1' }),
			waits(),
			{ text: 'Ok.' }
		]);
		await session.submit('Go').result;
		const warnings = () => ofType(seen, 'warning').filter(({ code }) => code === 'cap_without_price');
		expect(warnings()).toMatchObject([{ message: expect.stringMatching(/\$1 cannot hold.*no-price-1/) }]);
		session.configure({ spendingCapUsd: 5 });
		expect(warnings()).toHaveLength(2);
	});

	it('says nothing of prices where there is no cap', async () => {
		const { session, seen } = await fakeSession([costs({ text: 'Ok.' }, null)]);
		await session.submit('Go').result;
		expect(ofType(seen, 'warning')).toEqual([]);
		session.configure({ spendingCapUsd: 5 });
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'cap_without_price' }]);
	});
});

/** A client whose summaries cost money, too. */
class CostlyClient extends FakeClient {
	override async complete(...args: Parameters<FakeClient['complete']>) {
		const response = await super.complete(...args);
		return { ...response, usage: { ...response.usage, costUsd: 0.6 } };
	}
}
