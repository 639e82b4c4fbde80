import { expect, vi } from 'vitest';
import type { SessionEvent } from '#agent/events.ts';
import type { PermissionDecision, PermissionRequest } from '#agent/guards/permission-types.ts';
import type { SubagentHost } from '#agent/tool.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

/** Ids of the subagents started, in order. */
export let started: string[] = [];
const spawn = fakeTool(
	'spawn_agent',
	async ({ task, overlay, model }, { agents }) => {
		const { agentId } = await (agents as SubagentHost).spawn({
			task: String(task),
			overlay: overlay === true,
			...(model === undefined ? {} : { model: String(model) })
		});
		started.push(agentId);
		return agentId;
	},
	'none'
);
const wait = fakeTool(
	'wait',
	async ({ nth }, { agents, signal }) => {
		const { output, success } = await (agents as SubagentHost).wait(started[Number(nth)] ?? '', signal);
		return `${success} ${output}`;
	},
	'none'
);
const write = fakeTool(
	'write',
	async ({ text }, { environment, propose }) => {
		const after = new TextEncoder().encode(String(text));
		await propose({ kind: 'write', path: 'src/out.txt', before: null, after, description: 'Write src/out.txt' });
		await environment.writeFile('src/out.txt', after);
		return 'written';
	},
	'write'
);
const run = fakeTool(
	'run',
	async (_, { propose }) => {
		await propose({ kind: 'execute', command: 'make all', cwd: '.', description: 'Run make all' });
		return 'ran';
	},
	'write'
);
const look = fakeTool('look', () => 'nothing new', 'read');
export const profile = fakeProfile([spawn, wait, write, run, look]);

export const spawns = (task: string, more: Record<string, unknown> = {}): FakeTurn => ({
	calls: [{ name: 'spawn_agent', arguments: { task, ...more } }]
});
export const waits = (nth = 0): FakeTurn => ({ calls: [{ name: 'wait', arguments: { nth } }] });
export const calls = (name: string, args: Record<string, unknown> = {}): FakeTurn => ({
	calls: [{ name, arguments: args }]
});
export const costs = (turn: FakeTurn, costUsd: number | null): FakeTurn => ({ ...turn, usage: { costUsd } });

/** Events of subagents at every depth. */
export const nestedIn = (seen: readonly SessionEvent[]): SessionEvent[] =>
	ofType(seen, 'subagent_event').map(({ event }) => {
		let inner = event;
		while (inner.type === 'subagent_event') inner = inner.event;
		return inner;
	});
export const resultsOf = (seen: readonly SessionEvent[], tool: string): string[] =>
	ofType(nestedIn(seen), 'tool_call_end')
		.filter(({ toolName }) => toolName === tool)
		.map(({ output }) => output);

export const taskRequests = (client: FakeClient, task: string): number =>
	client.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes(task)).length;

/** A user whose answers the test provides. */
export class Desk {
	readonly requests: PermissionRequest[] = [];
	readonly #answers: ((decision: PermissionDecision) => void)[] = [];

	readonly ask = (request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision> =>
		new Promise((resolve, reject) => {
			this.requests.push(request);
			this.#answers.push(resolve);
			signal.addEventListener('abort', () => reject(signal.reason as Error));
		});

	answer(nth: number, decision: PermissionDecision): void {
		this.#answers[nth]?.(decision);
	}

	async until(count: number): Promise<void> {
		await vi.waitFor(() => expect(this.requests).toHaveLength(count), { interval: 1 });
	}
}

export async function family(
	tasks: Record<string, FakeTurn[]>,
	options: Parameters<typeof fakeSession>[1],
	turns: FakeTurn[]
) {
	started = [];
	const client = new FakeClient(turns, { tasks });
	return fakeSession([], { profile, client, ...options });
}
