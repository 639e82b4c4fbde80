import { describe, expect, it } from 'vitest';
import { forkLog, forkOptions } from '#agent/fork.ts';
import { MemoryLog, SESSION_LOG_VERSION, type SessionOptions } from '#agent/index.ts';
import type { EntryBody, SessionEntry } from '#agent/session-log.ts';
import { fakeSession } from './fake-session.ts';
import { fakeProfile } from './fake-tools.ts';

const said = (role: 'user' | 'assistant', text: string): EntryBody => ({
	type: 'message',
	message: { role, content: [{ type: 'text', text }] }
});
const body = ({ id: _id, parentId: _parent, timestamp: _time, ...rest }: SessionEntry) => rest;

/** A log with entries of every kind, and their ids. */
function source() {
	const log = new MemoryLog();
	log.append({ type: 'session', version: SESSION_LOG_VERSION, sessionId: 'old', title: 'Mend it' });
	const asked = log.append(said('user', 'Go'));
	log.append({
		type: 'event',
		event: { type: 'notice', message: 'Hm.', sessionId: 'old', seq: 1, timestamp: 1 }
	});
	log.append({ type: 'todo_list', items: [{ content: 'Read', status: 'completed' }] });
	const answered = log.append(said('assistant', 'Done.'));
	log.append({ type: 'label', targetId: asked, label: 'start' });
	log.append({
		type: 'compaction',
		summary: 'Sum.',
		firstKeptId: answered,
		beforeTokens: 9,
		afterTokens: 1
	} as EntryBody);
	log.append({ type: 'todo_list', items: [{ content: 'Write', status: 'pending' }] });
	const last = log.append(said('user', 'On'));
	return { log, asked, answered, last };
}

describe('the log of a fork', () => {
	it('has the conversation and what refers to it, but no events', () => {
		const { log, last } = source();
		const before = JSON.stringify(log.entries());
		const entries = forkLog(log, last, 'new').entries();
		const [session, asked, answered, label, compaction, on, todo] = entries;
		expect(entries).toHaveLength(7);
		expect(session && body(session)).toEqual({
			type: 'session',
			version: SESSION_LOG_VERSION,
			sessionId: 'new',
			title: 'Mend it'
		});
		expect([asked, answered, on].map((entry) => entry && body(entry))).toEqual([
			said('user', 'Go'),
			said('assistant', 'Done.'),
			said('user', 'On')
		]);
		expect(label).toMatchObject({ type: 'label', targetId: asked?.id, label: 'start' });
		expect(compaction).toMatchObject({ type: 'compaction', firstKeptId: answered?.id, summary: 'Sum.' });
		// The current list, once.
		expect(todo && body(todo)).toEqual({ type: 'todo_list', items: [{ content: 'Write', status: 'pending' }] });
		const ids = new Set(log.entries().map(({ id }) => id));
		expect(entries.some(({ id }) => ids.has(id))).toBe(false);
		expect(JSON.stringify(log.entries())).toBe(before);
	});

	it('ends at the entry', () => {
		const { log, answered } = source();
		const entries = forkLog(log, answered, 'new').entries();
		expect(entries.map(({ type }) => type)).toEqual(['session', 'message', 'message', 'todo_list']);
		expect(entries[3]).toMatchObject({ items: [{ content: 'Read' }] });
	});

	it('may be one that the host has begun', () => {
		const { log, asked } = source();
		const target = new MemoryLog();
		target.append({ type: 'session', version: SESSION_LOG_VERSION, sessionId: 'mine', title: 'Mine' });
		expect(forkLog(log, asked, 'new', target)).toBe(target);
		expect(target.entries()).toMatchObject([
			{ type: 'session', sessionId: 'mine' },
			{ type: 'message', message: { role: 'user' } }
		]);
	});

	it('has no title where there was none, and no list of no tasks', () => {
		const log = new MemoryLog();
		const id = log.append(said('user', 'Go'));
		log.append({ type: 'todo_list', items: [] });
		expect(forkLog(log, id, 'new').entries().map(body)).toEqual([
			{ type: 'session', version: SESSION_LOG_VERSION, sessionId: 'new', title: '' },
			said('user', 'Go')
		]);
	});

	it('needs an entry that there is', () => {
		expect(() => forkLog(source().log, 'nope', 'new')).toThrow('There is no entry nope in this session to fork from.');
	});
});

describe('a fork', () => {
	it('continues with the settings of this moment, but not with what is the session’s own', () => {
		const options = { id: 'old', log: 'log', forkStore: 'store', machineChange: 'change', maxTurns: 7 };
		const profile = fakeProfile();
		const base = { name: 'base' };
		const allowRules = [{ kind: 'path' as const, pattern: 'src/**' }];
		const made = forkOptions({
			profile,
			options: options as unknown as SessionOptions,
			reasoningEffort: 'high',
			mode: 'plan',
			allowRules,
			fileFork: { base: base as never }
		});
		expect(made).toEqual({
			maxTurns: 7,
			profile,
			reasoningEffort: 'high',
			mode: 'plan',
			allowRules,
			environment: base
		});
		expect(made.allowRules).not.toBe(allowRules);
	});

	it('may be cancelled by a hook, which is named in the error', async () => {
		const { session } = await fakeSession([{ text: 'Done.' }], {
			hooks: [{ beforeSessionOp: (operation) => (operation === 'fork' ? 'cancel' : undefined) }]
		});
		await session.submit('Go').result;
		const [entry] = session.log.entries().slice(-1);
		expect(() => session.fork(entry?.id ?? '')).toThrow(
			expect.objectContaining({
				name: 'SessionOperationCancelled',
				code: 'operation_cancelled',
				operation: 'fork',
				message: 'A hook cancelled “fork”. Change the hook, or leave the session as it is.'
			})
		);
	});
});
