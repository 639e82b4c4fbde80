import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Session, type SessionOptions } from '#agent/index.ts';
import type { EventOf, EventType, SessionEvent } from '#agent/events.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { fakeProfile } from './fake-tools.ts';

/** Creates a real environment in its own empty directory, which is removed after the test. */
export async function temporaryEnvironment(): Promise<LocalExecutionEnvironment> {
	const workingDirectory = await mkdtemp(join(tmpdir(), 'sandglass-agent-'));
	const environment = new LocalExecutionEnvironment({ workingDirectory, confinement: null });
	await environment.initialize();
	onTestFinished(async () => {
		await environment.cleanup();
		await rm(workingDirectory, { recursive: true, force: true });
	});
	return environment;
}

/** Creates a session with a scripted model, in the mode *full* unless specified otherwise. */
export async function fakeSession(
	turns: FakeTurn[],
	options: Partial<SessionOptions> = {}
): Promise<{ session: Session; client: FakeClient; seen: SessionEvent[] }> {
	const client = (options.client as FakeClient | undefined) ?? new FakeClient(turns);
	const environment = options.environment ?? (await temporaryEnvironment());
	const session = new Session({
		profile: fakeProfile(),
		mode: 'full',
		streamRetry: { delayMs: 0 },
		...options,
		client,
		environment
	});
	const seen: SessionEvent[] = [];
	session.emitter.onEvent((event) => seen.push(event));
	return { session, client, seen };
}

export function ofType<T extends EventType>(events: readonly SessionEvent[], type: T): EventOf<T>[] {
	return events.filter((event): event is EventOf<T> => event.type === type);
}

export function typesOf(events: readonly SessionEvent[], ...without: EventType[]): EventType[] {
	return events.map(({ type }) => type).filter((type) => !without.includes(type));
}

/** Resolves with the first event of a type, past or future. */
export async function untilEvent<T extends EventType>(session: Session, type: T): Promise<EventOf<T>> {
	for await (const event of session.events) if (event.type === type) return event as EventOf<T>;
	throw new Error(`The session ended without ${type}`);
}
