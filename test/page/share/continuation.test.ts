import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Parts } from '#page/parts.ts';
import { ShareContinuation } from '#page/share/continuation.ts';
import type { SessionStore, ShareBundle, StoredSession } from '#session/contract.ts';
import { importRepository } from '#workspace/import/import.ts';
import { temporaryEnvironment } from '#test/agent/fake-session.ts';

const choice = { model: 'm', provider: 'p', label: 'M', scripted: false };
const file = (text: string) => ({ mode: 0o100644, base64: btoa(text) });
const bundle: ShareBundle = {
	version: 1,
	origin: { kind: 'files', name: 'files' },
	title: 'A share',
	files: { 'a.txt': file('changed\n'), 'b.txt': file('b\n') },
	removed: [],
	before: { 'a.txt': file('as it was\n') },
	entries: [],
	checkpoints: [],
	viewOnly: false
};

let environment: ExecutionEnvironment;
/** Calls, in order. */
let done: string[];

/** Records that a method was called, and that it has ended. */
function note(target: object, name: string, method: (...args: never[]) => Promise<unknown>): void {
	Object.defineProperty(target, name, {
		value: async (...args: never[]) => {
			done.push(name);
			const result = await method.apply(target, args);
			done.push(`${name} ended`);
			return result;
		}
	});
}

function begin(): ShareContinuation {
	const stored = {
		summary: { origin: bundle.origin },
		attach: (attached: ExecutionEnvironment) => Promise.resolve(attached),
		adopt: () => {},
		flush: () => Promise.resolve(),
		writePageState: () => Promise.resolve(),
		log: {}
	} as unknown as StoredSession;
	const store = {
		create: () => Promise.resolve(stored),
		enlist: () => Promise.resolve(void done.push('enlist')),
		discard: () => Promise.resolve(void done.push('discard'))
	} as unknown as SessionStore;
	const parts = {
		createEnvironment: () => Promise.resolve(environment),
		importRepository,
		openWorkspace: () => Promise.resolve({})
	} as unknown as Parts;
	return new ShareContinuation(bundle, choice, { parts, store }, fetch);
}

beforeEach(async () => {
	vi.stubGlobal('location', { origin: 'https://example.org' });
	environment = await temporaryEnvironment();
	done = [];
	for (const name of ['exec', 'start', 'openTerminal', 'snapshot', 'cleanup'] as const)
		note(environment, name, environment[name]);
});
afterEach(() => vi.unstubAllGlobals());

describe('a share that is started before someone goes on with it', () => {
	it('has its base in a computer on which nothing is started before', async () => {
		const continuation = begin();
		await vi.waitFor(() => expect(done).toEqual(['snapshot', 'snapshot ended']));
		expect(await environment.readFile('a.txt')).toBe('as it was\n');
		await continuation.finish({});
		expect(done.slice(2, 3)).toEqual(['exec']);
		expect(done.at(-1)).toBe('enlist');
		expect(await environment.readFile('a.txt')).toBe('changed\n');
	});

	it('is nowhere when it is left, and nothing of it has run', async () => {
		const continuation = begin();
		await vi.waitFor(() => expect(done).toContain('snapshot ended'));
		continuation.leave();
		await vi.waitFor(() => expect(done).toContain('cleanup ended'));
		expect(done).toEqual(['snapshot', 'snapshot ended', 'discard', 'cleanup', 'cleanup ended']);
		await expect(continuation.finish({})).rejects.toThrow();
	});

	it('is stopped by who goes on with it, too', async () => {
		const cancel = new AbortController();
		const finishing = begin().finish({ signal: cancel.signal });
		cancel.abort(new DOMException('Cancelled', 'AbortError'));
		await expect(finishing).rejects.toMatchObject({ name: 'AbortError' });
		await vi.waitFor(() => expect(done).toContain('cleanup ended'));
		expect(done).not.toContain('enlist');
	});
});
