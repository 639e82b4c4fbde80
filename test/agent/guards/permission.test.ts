import { describe, expect, it } from 'vitest';
import { actionOf, judge, shownCommand } from '#agent/guards/permission.ts';
import type { PermissionMode } from '#agent/guards/permission-types.ts';
import type { ProposedChange } from '#agent/tool.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const description = 'Do it';
const write: ProposedChange = { kind: 'write', path: '/work/src/a.ts', before: null, after: bytes('a'), description };
const command: ProposedChange = { kind: 'execute', command: 'cat', cwd: '/work', description };
const typed: ProposedChange = { ...command, input: 'y' };
const network: ProposedChange = { kind: 'network', url: 'https://a.example:8080/x', description };
const preview = (mayLeak: boolean): ProposedChange => ({ kind: 'preview', description, mayLeak });
const changes = [write, command, typed, network, preview(true)];

const asks = (reason: string, rules: object[]) => ({
	kind: 'ask',
	reason: `The present mode asks before ${reason}.`,
	rules
});

describe('a change', () => {
	it.each(changes)('is refused in plan mode: %j', (change) => {
		expect(judge(change, 'src/a.ts', 'plan', ['**', 'a.example:8080', 'cat\ny'])).toEqual({
			kind: 'refuse',
			message: 'Plan mode: nothing is changed or run. Describe what you would do; the user decides when to start.'
		});
	});

	it.each(changes)('is allowed with full access and on a fork: %j', (change) => {
		for (const mode of ['full', 'fork'] as PermissionMode[])
			expect(judge(change, '.git/config', mode, [])).toEqual({ kind: 'allow' });
	});

	it.each<[string, ProposedChange, string, string[], object]>([
		['a write', write, 'src/a.ts', [], asks('files are changed', [{ kind: 'path', pattern: 'src/**' }])],
		['a write under a rule', write, 'src/a.ts', ['src/**'], { kind: 'allow' }],
		[
			'a write under another rule',
			write,
			'src/a.ts',
			['lib/**'],
			asks('files are changed', [{ kind: 'path', pattern: 'src/**' }])
		],
		[
			'a write of a file that runs by itself, whatever the rules',
			write,
			'.husky/pre-commit',
			['**'],
			{ kind: 'ask', reason: 'Files like .husky/pre-commit can change what later commands do.', rules: [] }
		],
		['a command', command, '', ['background', 'cat'], asks('a command runs', [])],
		[
			'what is typed into one',
			typed,
			'',
			[],
			asks('anything is typed into a command', [{ kind: 'input', pattern: 'cat\ny' }])
		],
		['what is typed under a rule', typed, '', ['cat\ny'], { kind: 'allow' }],
		[
			'a host',
			network,
			'',
			['a.example'],
			asks('a new host is reached', [{ kind: 'host', pattern: 'a.example:8080' }])
		],
		['a host under a rule', network, '', ['a.example:8080'], { kind: 'allow' }],
		[
			'an address that is none',
			{ ...network, url: 'stdio notes' } as ProposedChange,
			'',
			[],
			asks('a new host is reached', [{ kind: 'host', pattern: 'stdio notes' }])
		],
		[
			'a page that may leak',
			preview(true),
			'',
			[],
			{
				kind: 'ask',
				reason: 'In this browser a displayed page can send data out by WebRTC and by names it looks up.',
				rules: []
			}
		],
		['a page that may not', preview(false), '', [], { kind: 'allow' }]
	])('is judged in the mode that asks: %s', (_, change, path, patterns, verdict) => {
		expect(judge(change, path, 'ask', patterns)).toEqual(verdict);
	});

	it('of a file needs no question where edits are automatic, and all else does', () => {
		expect(judge(write, 'src/a.ts', 'auto-edit', [])).toEqual({ kind: 'allow' });
		expect(judge(write, '.git/config', 'auto-edit', [])).toMatchObject({ kind: 'ask' });
		expect(judge(command, '', 'auto-edit', [])).toMatchObject({ kind: 'ask' });
		const scripts = (text: string): ProposedChange => ({
			...write,
			before: bytes('{}'),
			after: bytes(text)
		});
		expect(judge(scripts('{"scripts":{"test":"x"}}'), 'package.json', 'auto-edit', [])).toMatchObject({ kind: 'ask' });
		expect(judge(scripts('{"name":"x"}'), 'package.json', 'auto-edit', [])).toEqual({ kind: 'allow' });
	});

	it('is shown whole and by what it does', () => {
		expect(shownCommand(command)).toBe('cat');
		expect(shownCommand(typed)).toBe('cat\ny');
		expect(changes.map(actionOf)).toEqual(['write', 'execute', 'execute', 'network', 'other']);
	});
});
