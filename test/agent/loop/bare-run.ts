import type { SessionEvent } from '#agent/events.ts';
import { runAgentLoop } from '#agent/loop/agent-loop.ts';
import type { AgentLoopConfig } from '#agent/loop/config.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { FakeClient, type FakeTurn } from '../fake-client.ts';
import { echo } from '../fake-tools.ts';

export const call = (name = 'echo', args: Record<string, unknown> = { text: 'out' }): FakeTurn => ({
	calls: [{ name, arguments: args }]
});

/** Runs the loop to its end, without a session or an environment. */
export async function loop(
	turns: FakeTurn[],
	config: Partial<AgentLoopConfig> = {},
	history: Message[] = [],
	input: string | ContentPart[] = 'Go'
) {
	const client = new FakeClient(turns);
	const run = runAgentLoop(
		{
			client,
			provider: 'fake',
			model: 'fake-1',
			systemPrompt: 'You help.',
			tools: [echo],
			environment: {} as ExecutionEnvironment,
			streamRetry: { delayMs: 0 },
			...config
		},
		input,
		history
	);
	const seen: SessionEvent[] = [];
	for await (const event of run) seen.push(event);
	return { client, seen, result: await run.result };
}
