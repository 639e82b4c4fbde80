import { describe, expect, it, vi } from 'vitest';
import type { GuardOptions, ProposalInfo } from '#agent/api.ts';
import { createGuards } from '#agent/guards/guards.ts';
import type { PermissionDecision, PermissionMode, PermissionRequest } from '#agent/guards/permission-types.ts';
import type { ProposedChange } from '#agent/tool.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { memoryState } from '#test/contract/tools/harness.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const info: ProposalInfo = { callId: 'c', agentId: 'a', toolName: 't', signal: new AbortController().signal };

/** Guards of an empty workspace, and the questions that they ask. */
function guards(mode: PermissionMode, answer?: PermissionDecision, options: Partial<GuardOptions> = {}) {
	const questions: PermissionRequest[] = [];
	const stat = vi.fn(() => Promise.reject(new EnvironmentError('ENOENT', 'not there')));
	const environment = { workingDirectory: () => '/w', stat } as unknown as ExecutionEnvironment;
	const ask = (request: PermissionRequest) => (
		questions.push(request),
		Promise.resolve<PermissionDecision>(answer ?? { kind: 'deny' })
	);
	const { propose } = createGuards({
		environment,
		state: memoryState(),
		mode: () => mode,
		readBeforeWrite: () => 'off',
		allowRules: [],
		...(answer ? { ask } : {}),
		...options
	});
	return { propose: (change: ProposedChange) => propose(change, info), questions, stat };
}

const write = (before: string | null, after: string | null, path = '/w/src/a.txt'): ProposedChange => ({
	kind: 'write',
	path,
	before: before === null ? null : bytes(before),
	after: after === null ? null : bytes(after),
	description: 'Write a.txt'
});
const fetched: ProposedChange = { kind: 'network', url: 'https://a.example/x', description: 'Read a page' };
const typed: ProposedChange = {
	kind: 'execute',
	command: 'psql',
	input: 'select 1;',
	cwd: '/w',
	description: 'Type into psql'
};
const asked = { requestId: expect.any(String), callId: 'c', agentId: 'a', toolName: 't' };

describe('a question', () => {
	it.each<[string, ProposedChange, object]>([
		[
			'a new file',
			write(null, 'new\n'),
			{
				action: 'write',
				description: 'Write a.txt',
				reason: 'The present mode asks before files are changed.',
				rules: [{ kind: 'path', pattern: 'src/**' }],
				path: 'src/a.txt',
				diff: '--- src/a.txt\n+++ src/a.txt\n@@ -0,0 +1,1 @@\n+new\n'
			}
		],
		[
			'a host',
			fetched,
			{
				action: 'network',
				description: 'Read a page',
				reason: 'The present mode asks before a new host is reached.',
				rules: [{ kind: 'host', pattern: 'a.example' }]
			}
		],
		[
			'what is typed into a command',
			typed,
			{
				action: 'execute',
				description: 'Type into psql',
				reason: 'The present mode asks before anything is typed into a command.',
				rules: [{ kind: 'input', pattern: 'psql\nselect 1;' }],
				command: 'psql\nselect 1;'
			}
		],
		[
			'a preview that may send data out',
			{ kind: 'preview', description: 'Look at the page', mayLeak: true },
			{
				action: 'other',
				description: 'Look at the page',
				reason: 'In this browser a displayed page can send data out by WebRTC and by names it looks up.',
				rules: []
			}
		]
	])('about %s has what it is about and nothing else', async (_, change, question) => {
		const { propose, questions } = guards('ask', { kind: 'allow_once' });
		await propose(change);
		expect(questions).toEqual([{ ...asked, ...question }]);
	});

	it.each([
		['before', write('a\0b', 'text')],
		['after', write('text', 'a\0b')]
	])('shows no difference of a file that is binary %s', async (_, change) => {
		const { propose, questions } = guards('ask', { kind: 'allow_once' });
		await propose(change);
		expect(questions[0]?.diff).toBe('Binary files differ.');
	});

	it('is not put in modes that allow all, and no path is looked up for one', async () => {
		for (const mode of ['full', 'fork'] as const) {
			const { propose, questions, stat } = guards(mode, { kind: 'deny' });
			await propose(write('a', 'b'));
			await propose(fetched);
			expect(questions).toEqual([]);
			expect(stat).not.toHaveBeenCalled();
		}
	});

	it('is answered for the session also where no host keeps the rules', async () => {
		const { propose, questions } = guards('ask', { kind: 'allow_session' });
		await propose(write('a', 'b'));
		await propose(write('a', 'b', '/w/src/deep/b.txt'));
		expect(questions).toHaveLength(1);
	});
});

describe('a refusal', () => {
	it('names the guard that refused', async () => {
		const refusal = (guard: string, message: unknown) =>
			expect.objectContaining({ name: 'GuardRefusal', guard, message });
		await expect(guards('ask').propose(fetched)).rejects.toEqual(
			refusal('permission', expect.stringMatching(/^Read a page needs the user's permission/))
		);
		await expect(guards('plan').propose(fetched)).rejects.toEqual(
			refusal('mode', expect.stringMatching(/^Plan mode: /))
		);
		const explained = guards('ask', { kind: 'deny_explain', explanation: 'Use the cache.' });
		await expect(explained.propose(fetched)).rejects.toEqual(
			refusal('permission', 'The user did not allow it: Use the cache.')
		);
		const strict = guards('full', undefined, { readBeforeWrite: () => 'strict' });
		await expect(strict.propose(write('a', 'b'))).rejects.toEqual(
			refusal('read-before-write', expect.stringMatching(/has not been read in this session/))
		);
		await expect(guards('full').propose(write(null, '[secret left out: GitHub token]'))).rejects.toEqual(
			refusal('secrets', expect.stringMatching(/^This would write a marker for a left-out secret/))
		);
	});

	it('by the user is an error of its own, with the question', async () => {
		const denied = guards('ask', { kind: 'deny' });
		await expect(denied.propose(fetched)).rejects.toEqual(
			expect.objectContaining({
				name: 'PermissionDenied',
				message: 'The user did not allow it: Read a page.',
				request: expect.objectContaining({ action: 'network' })
			})
		);
	});

	it('of markers lets those stay that the file has', async () => {
		const marker = '[secret left out: GitHub token]';
		const { propose } = guards('full');
		await expect(propose(write(`a ${marker}`, `b ${marker}`))).resolves.toBeUndefined();
		await expect(propose(write(`a ${marker}`, `b ${marker} ${marker}`))).rejects.toThrow('marker');
		await expect(propose(write(`\0 ${marker}`, marker))).rejects.toThrow('marker');
	});
});
