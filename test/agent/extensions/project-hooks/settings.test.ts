import { describe, expect, it } from 'vitest';
import { parseProjectHooks } from '#agent/extensions/project-hooks/settings.ts';

const parse = (hooks: unknown) => parseProjectHooks(JSON.stringify({ hooks }));
const hook = { event: 'before_tool', command: 'check' };

describe('the hooks of a settings file', () => {
	it('are read with their defaults', () => {
		expect(
			parse([
				{ event: 'before_tool', command: ' check ', tools: ['shell'] },
				{ event: 'after_tool', command: 'format', timeout_seconds: 600 },
				{ event: 'message', command: 'm' },
				{ event: 'end', command: 'e', timeout_seconds: 0.5 }
			])
		).toEqual([
			{ event: 'before_tool', command: 'check', timeout_seconds: 60, tools: ['shell'] },
			{ event: 'after_tool', command: 'format', timeout_seconds: 600 },
			{ event: 'message', command: 'm', timeout_seconds: 60 },
			{ event: 'end', command: 'e', timeout_seconds: 0.5 }
		]);
		expect(parseProjectHooks('{}')).toEqual([]);
	});

	it('may be twenty, of 4,000 characters and fifty tools each', () => {
		const largest = { ...hook, command: 'x'.repeat(4_000), tools: Array.from({ length: 50 }, () => 't'.repeat(100)) };
		expect(parse(Array.from({ length: 20 }, () => largest))).toHaveLength(20);
	});

	it.each<[string, unknown, string]>([
		['more than twenty', Array.from({ length: 21 }, () => hook), ', hooks: '],
		['an unknown event', [{ ...hook, event: 'start' }], ', hooks.0.event: '],
		['no command', [{ event: 'end' }], ', hooks.0.command: '],
		['an empty command', [{ ...hook, command: '  ' }], ', hooks.0.command: '],
		['a long command', [{ ...hook, command: 'x'.repeat(4_001) }], ', hooks.0.command: '],
		['no time', [{ ...hook, timeout_seconds: 0 }], ', hooks.0.timeout_seconds: '],
		['too much time', [{ ...hook, timeout_seconds: 601 }], ', hooks.0.timeout_seconds: '],
		['no tools', [{ ...hook, tools: [] }], ', hooks.0.tools: '],
		['too many tools', [{ ...hook, tools: Array.from({ length: 51 }, () => 't') }], ', hooks.0.tools: '],
		['an empty tool', [{ ...hook, tools: [''] }], ', hooks.0.tools.0: '],
		['a long tool', [{ ...hook, tools: ['t'.repeat(101)] }], ', hooks.0.tools.0: '],
		['an unknown field', [{ ...hook, shell: true }], ', hooks.0: '],
		['tools of an end', [hook, { event: 'end', command: 'e', tools: ['a'] }], ', hooks.1: '],
		['tools of a message', [{ event: 'message', command: 'e', tools: ['a'] }], ', hooks.0: ']
	])('are refused with their place: %s', (_, hooks, place) => {
		expect(() => parse(hooks)).toThrow(`.sandglass/settings.json${place}`);
	});

	it('are refused where the file is no such file', () => {
		expect(() => parseProjectHooks('{')).toThrow(/^\.sandglass\/settings\.json is not valid JSON: ./);
		expect(() => parseProjectHooks('[]')).toThrow(/^\.sandglass\/settings\.json: ./);
		expect(() => parseProjectHooks('{"other":1}')).toThrow(/^\.sandglass\/settings\.json: ./);
		expect(() => parseProjectHooks('{')).toThrow(expect.objectContaining({ name: 'ProjectSettingsError' }));
	});
});
