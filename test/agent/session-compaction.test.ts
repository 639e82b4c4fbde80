import { describe, expect, it, vi } from 'vitest';
import { ContextMeter } from '#agent/context-window.ts';
import { Conversation } from '#agent/conversation.ts';
import type { EventBody } from '#agent/events.ts';
import { HookRunner, type Hook } from '#agent/hooks.ts';
import { MemoryLog } from '#agent/memory-log.ts';
import type { Profile } from '#agent/profile.ts';
import { SessionCompaction } from '#agent/session-compaction.ts';
import type { WorkInHand } from '#agent/work-in-hand.ts';
import { ServerError } from '#llm/errors.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { FakeClient } from './fake-client.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const { signal } = new AbortController();
const user = (...content: ContentPart[]): Message => ({ role: 'user', content });
const text = (value: string): ContentPart => ({ type: 'text', text: value });
const long = (name: string): Message => user(text(`${name} ${'word '.repeat(100)}`));
const FOUR = ['One', 'Two', 'Three', 'Four'].map(long);
const NO_WORK: WorkInHand = { mode: 'full', todo: [], processes: [], subagents: [] };
const refuses = () => Promise.reject(new ServerError({ provider: 'fake' }));

interface Given {
	messages?: readonly Message[];
	complete?: () => string | Promise<string>;
	profile?: Profile;
	hook?: Hook;
	work?: () => WorkInHand;
}

/** Compacts a conversation, and returns what the session reports. */
function compaction({ messages = FOUR, complete = () => 'Sum.', profile = fakeProfile(), hook, work }: Given = {}) {
	const log = new MemoryLog();
	const emitted: EventBody[] = [];
	const emit = (body: EventBody): number => emitted.push(body);
	const client = new FakeClient([], { complete });
	const conversation = new Conversation(log);
	for (const message of messages) conversation.append(message);
	const hooks = new HookRunner(hook ? [hook] : [], emit);
	const meter = new ContextMeter(messages);
	const session = { client, profile, images: {}, hooks, log, emitter: { emit }, conversation, meter };
	const made = new SessionCompaction(session as never, work ?? (() => NO_WORK));
	return {
		made,
		log,
		client,
		conversation,
		warnings: () => emitted.map((body) => 'code' in body && body.code),
		emitted
	};
}

describe('a compaction', () => {
	it('comes before a request only where the window is nearly full', async () => {
		const { made, client } = compaction();
		const state = { messages: FOUR, windowTokens: 400, signal };
		expect(await made.beforeRequest({ ...state, usedTokens: 300 })).toBeNull();
		expect(client.completions).toEqual([]);
		expect(await made.beforeRequest({ ...state, usedTokens: 301 })).toMatchObject({ success: true });
	});

	it('keeps half of what did not fit, also where the window is not known', async () => {
		const { made, conversation } = compaction();
		const state = { messages: FOUR, usedTokens: 500, windowTokens: 0, signal };
		expect(await made.afterOverflow(state)).toMatchObject({ success: true });
		expect(conversation.messages.slice(1)).toEqual(FOUR.slice(2));
	});

	it('is made once at a time, and again later', async () => {
		const { made, emitted, warnings } = compaction();
		expect(await Promise.all([made.now(signal), made.now(signal)])).toEqual([true, false]);
		expect(warnings()).toContain('compaction_in_progress');
		expect(emitted).toContainEqual({
			type: 'warning',
			code: 'compaction_in_progress',
			message: 'A compaction is already running; this one was skipped.'
		});
		emitted.length = 0;
		await made.now(signal);
		expect(warnings()).not.toContain('compaction_in_progress');
	});

	it('may be cancelled by a hook, which is asked about it', async () => {
		const beforeSessionOp = vi.fn(() => 'cancel' as const);
		const { made, client } = compaction({ hook: { beforeSessionOp } });
		expect(await made.now(signal)).toBe(false);
		expect(beforeSessionOp.mock.calls).toEqual([['compact']]);
		expect(client.completions).toEqual([]);
	});

	it('that fails says why, unless it was stopped', async () => {
		const broken = compaction({
			work: () => {
				throw new Error('no list');
			}
		});
		const why = {
			type: 'warning',
			code: 'compaction_failed',
			message: 'The conversation could not be compacted: no list'
		};
		expect(await broken.made.now(signal)).toBe(false);
		expect(broken.emitted).toEqual([why]);
		const stopped = compaction({ complete: refuses });
		expect(await stopped.made.now(AbortSignal.abort())).toBe(false);
		expect(stopped.emitted).toEqual([]);
	});

	it('without a summary, and without outputs to shorten, leaves all as it is', async () => {
		const { made, conversation, emitted, warnings } = compaction({ complete: refuses });
		expect(await made.now(signal)).toBe(false);
		expect(warnings()).toEqual(['compaction_fallback', 'nothing_compacted']);
		expect(emitted[0]).toMatchObject({
			message: expect.stringMatching(/^No summary could be made \(.+\), and no tool output could be shortened\.$/)
		});
		expect(conversation.messages).toEqual(FOUR);
	});

	it.each([true, false])('shows pictures to a model that sees them: %s', async (supportsImages) => {
		const picture: ContentPart = { type: 'image', mediaType: 'image/png', data: 'A' };
		const { made, client } = compaction({
			messages: [user(text('Look'), picture), ...FOUR],
			profile: fakeProfile([], { supportsImages })
		});
		await made.now(signal);
		expect(client.completions[0]?.messages[0]?.content.includes(picture)).toBe(supportsImages);
	});

	it('lists the files that the agent read and changed, by any tool or command, and not the user’s', async () => {
		const calling = (id: string, name: string, path: string): Message[] => [
			{ role: 'assistant', content: [{ type: 'tool_call', id, name, arguments: { path } }] },
			{ role: 'tool', content: [{ type: 'tool_result', callId: id, toolName: name, content: 'ok', isError: false }] }
		];
		const read = fakeTool('read_file', () => 'text');
		const profile = fakeProfile([{ ...read, definition: { ...read.definition, name: 'Look' } }]);
		const messages = [...calling('1', 'Look', 'a.ts'), ...calling('2', 'write_it', 'b.ts'), ...FOUR, ...FOUR];
		const { made, log, conversation } = compaction({ messages, profile });
		const changed = (path: string, by: 'user' | 'tool' | 'shell') => ({ type: 'file_change', path, by });
		const bodies = [changed('c.ts', 'tool'), changed('d.ts', 'user'), changed('e.ts', 'shell')];
		for (const body of [...bodies, { type: 'notice', path: 'f.ts' }])
			log.append({ type: 'event', event: body as never });
		await made.now(signal);
		const listed = (name: string) => new RegExp(`<${name}>\n([^]*)\n</${name}>`).exec(conversation.summary ?? '')?.[1];
		expect(listed('read-files')).toBe('a.ts');
		expect(listed('modified-files')?.split('\n').sort()).toEqual(['b.ts', 'c.ts', 'e.ts']);
	});
});
