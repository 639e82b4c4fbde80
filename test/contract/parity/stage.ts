import { expect } from 'vitest';
import type { SessionOptions } from '#agent/api.ts';
import type { EventOf, EventType, SessionEvent } from '#agent/events.ts';
import { Session } from '#agent/session.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Client } from '#llm/types.ts';
import type { Script, SeenRequest } from '#test/model-server/commands.ts';
import { type Spoken, spokenIn } from '#test/model-server/spoken.ts';
import { entriesOf } from '../environment/checks.ts';
import type { ParityProvider } from './providers.ts';

/** Place where scripts run: next to the test in Node, or behind a command if the test is a page. */
export interface ModelHost {
	url: string;
	requests(): Promise<SeenRequest[]>;
	/** Errors that occurred in it, including a script that ran out. */
	close(): Promise<string[]>;
}

/** One run of a row: a session in a real environment whose model is scripted or real. */
export interface Stage {
	provider: ParityProvider;
	session: Session;
	environment: ExecutionEnvironment;
	/** All events, in order. */
	events: SessionEvent[];
	/** Sends a message and waits for the end of its run. */
	submit(text: string): Promise<void>;
	/** Text received by the model, one entry per request; empty against a real API. */
	told(): Promise<Spoken[]>;
}

export interface Play {
	files?: Record<string, string>;
	scripts: (provider: ParityProvider) => Script[];
	options?: Partial<SessionOptions>;
	act: (stage: Stage) => Promise<void>;
}

export function openStage(
	provider: ParityProvider,
	environment: ExecutionEnvironment,
	client: Client,
	requests: () => Promise<SeenRequest[]>,
	options: Partial<SessionOptions> = {}
): Stage {
	const profile = provider.profile();
	const session = new Session({ profile, environment, client, mode: 'full', streamRetry: { delayMs: 0 }, ...options });
	const events: SessionEvent[] = [];
	session.emitter.onEvent((event) => events.push(event));
	return {
		provider,
		session,
		environment,
		events,
		submit: async (text) => {
			const result = await session.submit(text).result;
			expect(result.error).toBeUndefined();
		},
		told: async () => (await requests()).map(({ body }) => spokenIn(body))
	};
}

/** Creates these files in an empty working directory. */
export async function layOut(environment: ExecutionEnvironment, files: Record<string, string> = {}): Promise<void> {
	const root = environment.workingDirectory();
	for (const { path } of await environment.listDirectory(root, 1))
		await environment.remove(`${root}/${path}`, { recursive: true });
	await environment.load(entriesOf(files));
}

export function eventsOf<T extends EventType>(stage: Stage, type: T): EventOf<T>[] {
	return stage.events.filter((event): event is EventOf<T> => event.type === type);
}

/** End events of the calls of the session's own agent, in order. */
export function ends(stage: Stage): EventOf<'tool_call_end'>[] {
	return eventsOf(stage, 'tool_call_end');
}

/** Tool results sent to the model, from its last request. */
export async function lastResults(stage: Stage): Promise<string[]> {
	return (await stage.told()).at(-1)?.results ?? [];
}
