import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wait } from '#agent/tools/wait.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

let ids: string[] = [];
let release: () => void;
let held: Promise<void>;
let ended: Promise<unknown>;
beforeEach(() => {
	ids = [];
	held = new Promise((resolve) => (release = resolve));
});

const spawn = fakeTool(
	'spawn',
	async ({ task }, { agents }) => {
		const { agentId } = await agents!.spawn({ task: String(task) });
		ids.push(agentId);
		return agentId;
	},
	'none'
);
const hold = fakeTool('hold', async () => (await held, 'held'), 'read');
const letGo = fakeTool('let_go', () => (release(), 'let go'), 'read');
/** The real tool; agents are named by the order in which they started, since a script cannot know their ids. */
const waitFor = fakeTool(
	'wait',
	({ nth, timeout_ms }, context) => {
		const named = z
			.array(z.number())
			.parse(nth)
			.map((index) => ids[index] ?? 'agent_none');
		return wait.execute({ agent_id: named, timeout_ms: z.number().optional().parse(timeout_ms) }, context);
	},
	'none'
);
const untilEnded = fakeTool(
	'until_ended',
	async () => {
		await ended;
		// Its result follows the event in the same task.
		await new Promise((resolve) => setImmediate(resolve));
		return 'ended';
	},
	'read'
);
const profile = fakeProfile([spawn, hold, letGo, waitFor, untilEnded]);
const tasks = (): Record<string, FakeTurn[]> => ({
	quick: [{ text: 'Quick result.' }],
	slow: [{ calls: [{ name: 'hold' }] }, { text: 'Slow result.' }]
});
const spawns = (task: string): FakeTurn => ({ calls: [{ name: 'spawn', arguments: { task } }] });

async function play(turns: FakeTurn[]) {
	const client = new FakeClient(turns, { tasks: tasks() });
	const { session, seen } = await fakeSession([], { profile, client });
	ended = new Promise((resolve) =>
		session.emitter.onEvent((event) => {
			if (event.type === 'subagent_event' && event.event.type === 'agent_end') resolve(event);
		})
	);
	const result = await session.submit('Go').result;
	const waits = ofType(seen, 'tool_call_end').filter(({ toolName }) => toolName === 'wait');
	return { result, seen, client, waits: waits.map(({ output, isError }) => ({ output, isError })) };
}

describe('waiting for subagents', () => {
	it('of several ends with the first that is done, and tells which still work', async () => {
		const { waits } = await play([
			spawns('slow'),
			spawns('quick'),
			{ calls: [{ name: 'wait', arguments: { nth: [0, 1] } }] },
			{ calls: [{ name: 'let_go' }] },
			{ calls: [{ name: 'wait', arguments: { nth: [0] } }] },
			{ text: 'All done.' }
		]);
		expect(waits).toEqual([
			{
				output: `Quick result.\n\n[Agent ${ids[1]}: completed, 1 turns used]\n\n[Still working: ${ids[0]}. Wait again for the rest.]`,
				isError: false
			},
			{ output: `Slow result.\n\n[Agent ${ids[0]}: completed, 2 turns used]`, isError: false }
		]);
	});

	it('ends after its time, without an error', async () => {
		const { waits } = await play([
			spawns('slow'),
			{ calls: [{ name: 'wait', arguments: { nth: [0], timeout_ms: 5 } }] },
			{ text: 'I go on.' }
		]);
		expect(waits).toEqual([{ output: `[Still working: ${ids[0]}. Wait again for the rest.]`, isError: false }]);
	});

	it('for one that is not there says which are', async () => {
		const { waits } = await play([
			spawns('quick'),
			{ calls: [{ name: 'wait', arguments: { nth: [7] } }] },
			{ text: 'Oh.' }
		]);
		expect(waits).toMatchObject([{ isError: true, output: expect.stringContaining(`The open ones are: ${ids[0]}`) }]);
	});
});

describe('a subagent that ends while no one waits for it', () => {
	const told = (client: FakeClient): string[] =>
		client.requests.flatMap(({ messages }) =>
			messages.flatMap(({ role, content }) =>
				role === 'user' ? content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : []
			)
		);

	it('is reported to the model once, before its next turn, and shown', async () => {
		const { client, seen } = await play([
			spawns('quick'),
			{ calls: [{ name: 'until_ended' }] },
			{ calls: [{ name: 'let_go' }] },
			{ text: 'Enough.' }
		]);
		const notice = `${ids[0]} has completed. Wait for it to get its result.`;
		expect(ofType(seen, 'notice').map(({ message }) => message)).toEqual([notice]);
		expect(told(client)).toContain(notice);
	});

	it('is no news where a call waited for it', async () => {
		const { seen } = await play([
			spawns('quick'),
			{ calls: [{ name: 'wait', arguments: { nth: [0] } }] },
			{ calls: [{ name: 'let_go' }] },
			{ text: 'Enough.' }
		]);
		expect(ofType(seen, 'notice')).toEqual([]);
	});
});
