import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionApi } from '#agent/api.ts';
import type { AgentResult, EventBody, SessionEvent } from '#agent/events.ts';
import { Subagents, type ChildOptions, type SubagentParent } from '#agent/subagents.ts';
import type { ExecutionEnvironment, MergeResult, OverlayEnvironment } from '#environment/contract.ts';
import { emptyUsage } from '#llm/usage.ts';
import { inTime } from '../in-time.ts';

/** A session whose runs are ended by the test. */
class Child {
	readonly done: string[] = [];
	end: (result?: Partial<AgentResult>) => void = () => undefined;
	emit: (event: SessionEvent) => void = () => undefined;
	constructor(readonly options: ChildOptions) {}

	get api(): SessionApi {
		const events = new ReadableStream<SessionEvent>({
			start: (controller) => void (this.emit = (event) => controller.enqueue(event))
		});
		return {
			events,
			submit: (task: string) => {
				this.done.push(`submit ${task}`);
				const result = new Promise<AgentResult>((resolve) => {
					this.end = (given = {}) =>
						resolve({ text: 'Found it.', stopReason: 'end_turn', turns: 2, usage: emptyUsage(), ...given });
				});
				return { result };
			},
			steer: (message: string) => void this.done.push(`steer ${message}`),
			stop: async () => {
				this.done.push('stop');
				this.end({ stopReason: 'aborted' });
			},
			abort: async () => void this.done.push('abort')
		} as unknown as SessionApi;
	}
}

let children: Child[];
let emitted: EventBody[];
let overlays: { cleanup: ReturnType<typeof vi.fn> }[];
let merged: (MergeResult | string)[];
let fork: OverlayEnvironment | null;
let agents: Subagents;
const merging = vi.fn();
const environment = {
	workingDirectory: () => '/work',
	overlay: async () => {
		const overlay = { cleanup: vi.fn(async () => undefined), workingDirectory: () => '/copy' };
		overlays.push(overlay);
		return overlay;
	}
} as unknown as ExecutionEnvironment;
beforeEach(() => {
	[children, emitted, overlays, merged, fork] = [[], [], [], [], null];
	merging.mockReset();
	const parent: SubagentParent = {
		environment,
		create: (options) => {
			const child = new Child(options);
			children.push(child);
			return child.api;
		},
		emit: (body) => void emitted.push(body),
		merge: async (...given) => (merging(...given), merged.shift() ?? { merged: [], conflicts: [] }),
		fork: () => fork
	};
	agents = new Subagents(parent);
});
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const host = (given = signal) => agents.during(given);
const spawn = async (options: object = {}): Promise<string> =>
	(await host().spawn({ task: 'Look', ...options })).agentId;
const wait = (id: string, given = signal) => host().wait(id, given);
const settled = () => new Promise((resolve) => setImmediate(resolve));
const UNKNOWN = 'There is no subagent x. The open ones are: ';

describe('a subagent', () => {
	it('starts with its task, fifty turns and the files of its parent', async () => {
		const started = await host().spawn({ task: 'Look' });
		expect(started).toEqual({ agentId: expect.stringMatching(/^agent_[0-9a-f]{8}$/), status: 'running' });
		expect(children[0]?.done).toEqual(['submit Look']);
		expect(children[0]?.options).toEqual({ agentId: started.agentId, environment, ownFiles: false, maxTurns: 50 });
		expect(agents.working()).toEqual([started.agentId]);
		expect(agents.endedNotices()).toEqual([]);
	});

	it('starts with a model, a limit, a directory and a copy of the files of its own', async () => {
		await spawn({ model: 'm', maxTurns: 3, overlay: true, workingDirectory: 'sub' });
		const options = children[0]?.options;
		expect(options).toMatchObject({ model: 'm', maxTurns: 3, ownFiles: true });
		expect(options?.environment.workingDirectory()).toBe('/copy/sub');
		await spawn({ overlay: true });
		expect(children[1]?.options.environment).toBe(overlays[1]);
	});

	it('has its events nested in those of its parent', async () => {
		const agentId = await spawn();
		const event = { type: 'turn_start' } as SessionEvent;
		children[0]?.emit(event);
		await vi.waitFor(() => expect(emitted).toEqual([{ type: 'subagent_event', agentId, event }]), 10_000);
	});

	it('is waited for, and tells its answer, its error and whether it succeeded', async () => {
		const [good, failed, stopped] = [await spawn(), await spawn(), await spawn()];
		children[0]?.end();
		children[1]?.end({ stopReason: 'error', text: 'So far.', error: { code: 'x', message: 'No model.' }, turns: 1 });
		children[2]?.end({ stopReason: 'aborted', text: '' });
		expect(await wait(good)).toEqual({ output: 'Found it.', success: true, turns: 2 });
		expect(await wait(failed)).toEqual({ output: 'So far.\n\nNo model.', success: false, turns: 1 });
		expect(await wait(stopped)).toEqual({ output: 'It was stopped before it had finished.', success: false, turns: 2 });
		expect(agents.working()).toEqual([]);
	});

	it('is waited for no longer once the run is stopped', async () => {
		const id = await spawn();
		const controller = new AbortController();
		const waiting = wait(id, controller.signal);
		controller.abort(new Error('stopped'));
		await expect(inTime(waiting, 'the end of the wait')).rejects.toThrow('stopped');
		await expect(wait(id, controller.signal)).rejects.toThrow('stopped');
		await expect(host(controller.signal).spawn({ task: 'x' })).rejects.toThrow('stopped');
		await expect(host(controller.signal).send(id, 'x')).rejects.toThrow('stopped');
	});

	it('leaves nothing at the signal of a run that waits for many', async () => {
		const own = new AbortController().signal;
		const waiting = wait(await spawn(), own);
		children[0]?.end();
		await waiting;
		expect(getEventListeners(own, 'abort')).toEqual([]);
	});

	it('reads a message after its step, or takes it for its next task', async () => {
		const id = await spawn();
		expect(await host().send(id, 'Mind a.')).toBe(`Message queued for ${id}; it reads it after its current step.`);
		children[0]?.end();
		await wait(id);
		expect(await host().send(id, 'Go on')).toBe(`Message sent; ${id} is working again.`);
		expect(children[0]?.done).toEqual(['submit Look', 'steer Mind a.', 'submit Go on']);
		expect(agents.working()).toEqual([id]);
		children[0]?.end({ text: 'More.' });
		expect((await wait(id)).output).toBe('More.');
	});

	it('is closed with what it was, and its copy of the files goes', async () => {
		const id = await spawn({ overlay: true });
		expect(await host().close(id)).toBe(`${id} is closed; it was running.`);
		expect(children[0]?.done).toEqual(['submit Look', 'abort']);
		expect(overlays[0]?.cleanup).toHaveBeenCalledTimes(1);
		await expect(wait(id)).rejects.toThrow(`There is no subagent ${id}. The open ones are: none.`);
		const [other, failed] = [await spawn(), await spawn()];
		children[1]?.end();
		children[2]?.end({ stopReason: 'max_tokens' });
		await settled();
		await expect(host().send('x', '')).rejects.toThrow(`${UNKNOWN}${other}, ${failed}.`);
		expect(await host().close(other)).toBe(`${other} is closed; it was completed.`);
		expect(await host().close(failed)).toBe(`${failed} is closed; it was failed.`);
	});
});

describe('of several subagents', () => {
	it('the first that is done ends the wait, with all that are by then, in the order asked', async () => {
		const ids = [await spawn(), await spawn(), await spawn()];
		const waiting = host().anyDone(ids, undefined, signal);
		children[2]?.end();
		expect(await inTime(waiting, 'the first that is done')).toEqual([ids[2]]);
		children[0]?.end();
		await settled();
		expect(await host().anyDone(ids, undefined, signal)).toEqual([ids[0], ids[2]]);
		await expect(host().anyDone(['x'], undefined, signal)).rejects.toThrow('There is no subagent x');
	});

	it('none may be done by the time given', async () => {
		vi.useFakeTimers();
		const id = await spawn();
		const waiting = host().anyDone([id], 500, signal);
		await vi.advanceTimersByTimeAsync(499);
		expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
		await vi.advanceTimersByTimeAsync(1);
		expect(await inTime(waiting, 'the end of the time given')).toEqual([]);
		const ended = host().anyDone([id], 500, signal);
		children[0]?.end();
		expect(await ended).toEqual([id]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('those that ended unheard are told once, and those that were stopped or waited for are not', async () => {
		const [done, failed, waited, stopped] = [await spawn(), await spawn(), await spawn(), await spawn()];
		const waiting = wait(waited);
		for (const [index, stopReason] of (['end_turn', 'error', 'end_turn', 'aborted'] as const).entries())
			children[index]?.end({ stopReason });
		await waiting;
		expect(agents.endedNotices()).toEqual([
			`${done} has completed. Wait for it to get its result.`,
			`${failed} has failed. Wait for it to get its result.`
		]);
		expect(agents.endedNotices()).toEqual([]);
		await host().send(stopped, 'Again');
		children[3]?.end();
		await settled();
		await wait(stopped);
		expect(agents.endedNotices()).toEqual([]);
	});

	it('one that works again is not told, and is when it ends unheard after it was waited for', async () => {
		const id = await spawn();
		children[0]?.end();
		await settled();
		await host().send(id, 'Again');
		expect(agents.endedNotices()).toEqual([]);
		const waiting = wait(id);
		children[0]?.end();
		await waiting;
		await host().send(id, 'Once more');
		children[0]?.end();
		await settled();
		expect(agents.endedNotices()).toEqual([`${id} has completed. Wait for it to get its result.`]);
	});

	it('those at work are stopped, and all are closed with the session', async () => {
		const [done, working] = [await spawn(), await spawn({ overlay: true })];
		children[0]?.end();
		await settled();
		expect(await agents.stopAll()).toEqual([working]);
		expect(children.map((child) => child.done.at(-1))).toEqual(['submit Look', 'stop']);
		expect(done).not.toBe(working);
		await agents.closeAll();
		expect(children.map((child) => child.done.at(-1))).toEqual(['abort', 'abort']);
		await expect(host().spawn({ task: 'x' })).rejects.toMatchObject({ name: 'SessionClosedError' });
	});

	it('one that is about to start when the session ends does not, and leaves no copy', async () => {
		const starting = host().spawn({ task: 'x', overlay: true });
		const closing = agents.closeAll();
		await expect(starting).rejects.toMatchObject({ name: 'SessionClosedError' });
		await closing;
		expect(children).toEqual([]);
		expect(overlays[0]?.cleanup).toHaveBeenCalledTimes(1);
	});
});

describe('the copy of a subagent', () => {
	const path = (name: string) => ({ path: name }) as MergeResult['merged'][number];

	it('is merged once, when it has succeeded, and says what could not be', async () => {
		fork = {} as OverlayEnvironment;
		const id = await spawn({ overlay: true });
		merged = [{ merged: [path('a'), path('b')], conflicts: [path('c'), path('d')] } as unknown as MergeResult];
		children[0]?.end();
		const output =
			'Found it.\n\nMerged 2 changed files into the working directory.\nNot merged, because they changed on both sides: c, d. Read them and make the change by hand.';
		expect((await wait(id)).output).toBe(output);
		expect((await wait(id)).output).toBe(output);
		expect(merging.mock.calls).toEqual([[overlays[0], fork]]);
		await host().send(id, 'More');
		merged = [{ merged: [path('a')], conflicts: [] } as unknown as MergeResult];
		children[0]?.end();
		expect((await wait(id)).output).toBe('Found it.\n\nMerged 1 changed file into the working directory.');
	});

	it('is not merged when it failed, and tried again when that was refused', async () => {
		const id = await spawn({ overlay: true });
		children[0]?.end({ stopReason: 'error', text: '' });
		expect((await wait(id)).output).toBe('');
		expect(merging).not.toHaveBeenCalled();
		const other = await spawn({ overlay: true });
		merged = ['Not now.', { merged: [], conflicts: [] } as unknown as MergeResult];
		children[1]?.end();
		expect((await wait(other)).output).toBe('Found it.\n\nNot now.');
		expect((await wait(other)).output).toBe('Found it.\n\nMerged 0 changed files into the working directory.');
		expect((await wait(await withoutCopy())).output).toBe('Found it.');
	});

	async function withoutCopy(): Promise<string> {
		const id = await spawn();
		children.at(-1)?.end();
		return id;
	}
});
