import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { parametersOf, parseArguments } from '#agent/tools/arguments.ts';
import { ToolRegistry } from '#agent/tools/registry.ts';

const schema = z.object({
	path: z.string(),
	line: z.number().int().optional(),
	ratio: z.number().optional(),
	all: z.boolean().optional(),
	mode: z.enum(['short', 'long']).optional(),
	edits: z.array(z.object({ at: z.number(), text: z.string() })).optional(),
	environment: z.record(z.string(), z.string()).optional()
});
const parse = (args: unknown) => parseArguments(schema, 'Do', args);

describe('arguments of a call', () => {
	it.each([
		['a whole number as text', { line: '12' }, { line: 12 }],
		['a negative number as text', { line: '-3' }, { line: -3 }],
		['a fraction as text', { ratio: ' 0.5 ' }, { ratio: 0.5 }],
		['true as text', { all: 'true' }, { all: true }],
		['false as text', { all: 'false' }, { all: false }],
		['null for what may be left out', { line: null, all: null, mode: null, edits: null }, {}],
		['a list as JSON text', { edits: '[{"at":1,"text":"2"}]' }, { edits: [{ at: 1, text: '2' }] }],
		['an object as JSON text', { environment: '{"A":"1"}' }, { environment: { A: '1' } }],
		['a number as text in a list', { edits: [{ at: '1', text: '2' }] }, { edits: [{ at: 1, text: '2' }] }],
		['text that looks like a number, where text is wanted', { path: '12' }, { path: '12' }]
	])('are taken as they are meant: %s', (_, sent, taken) => {
		expect(parse({ path: 'a', ...sent })).toStrictEqual({ ok: true, value: { path: 'a', ...taken } });
	});

	it.each([
		['a word for a number', { line: 'twelve' }, 'line: '],
		['an empty text for a number', { line: '' }, 'line: '],
		['a fraction for a whole number', { line: '1.5' }, 'line: '],
		['a number that is none', { line: '0x10' }, 'line: '],
		['yes for a boolean', { all: 'yes' }, 'all: '],
		['null for what is needed', { path: null }, 'path: '],
		['JSON text of another kind', { edits: '{"at":1}' }, 'edits: '],
		['broken JSON text', { edits: '[{' }, 'edits: '],
		['JSON text that is no list', { edits: '7' }, 'edits: Invalid input: expected array, received string'],
		['a list for a number', { line: ['5'] }, 'line: '],
		['JSON text in a list, for an object', { environment: ['{"A":"1"}'] }, 'environment: '],
		['a value that is not allowed', { mode: 'middle' }, 'mode: '],
		['an unknown name', { lines: 12 }, '"lines": not a parameter; the parameters are path, line, ratio']
	])('are refused with a sentence: %s', (_, sent, said) => {
		const parsed = parse({ path: 'a', ...sent });
		expect(parsed).toEqual({ ok: false, message: expect.stringContaining(`Invalid arguments for Do: ${said}`) });
	});

	it.each([
		['a fraction of several digits', z.number(), '0.25', 0.25],
		['a whole number', z.int(), '12', 12],
		['an object as JSON text', z.object({ x: z.number() }), '{"x":1}', { x: 1 }],
		['nothing for one of several kinds', z.union([z.string(), z.number()]).optional(), null, undefined],
		['nothing for one of some values', z.enum(['a']).optional(), null, undefined]
	])('mean %s', (_, kind, sent, taken) => {
		const parsed = parseArguments(z.object({ value: kind }), 'Do', { value: sent });
		expect(parsed).toEqual({ ok: true, value: taken === undefined ? {} : { value: taken } });
	});

	it('keep a null that is a value, and a text that means nothing else', () => {
		const list = z.object({ list: z.array(z.object({ at: z.number().nullable() })), day: z.date().optional() });
		const sent = { list: [{ at: '1' }, { at: null }] };
		expect(parseArguments(list, 'Do', sent)).toEqual({ ok: true, value: { list: [{ at: 1 }, { at: null }] } });
		expect(parseArguments(list, 'Do', { list: [], day: 'Monday' })).toMatchObject({ ok: false });
	});

	it('are refused with all that is wrong with them, each under its place', () => {
		expect(parse({ path: 'a', edits: [{ at: 'x', text: 't' }], one: 1, two: 2 })).toEqual({
			ok: false,
			message: expect.stringMatching(
				/^Invalid arguments for Do: edits\.0\.at: [^;]+; "one", "two": not a parameter; the parameters are path, line,[^;]*\. Correct them and call the tool again\.$/
			)
		});
		for (const args of [null, undefined, 'path', 7])
			expect(parse(args)).toEqual({
				ok: false,
				message: expect.stringMatching(/^Invalid arguments for Do: arguments: [^;]+\. Correct them/)
			});
	});

	it('may have any name where the schema takes any, and none where it has none', () => {
		const open = z.looseObject({ path: z.string() });
		expect(parseArguments(open, 'Do', { path: 'a', more: 1 })).toEqual({ ok: true, value: { path: 'a', more: 1 } });
		expect(parseArguments(z.record(z.string(), z.number()), 'Do', { a: 1 }).ok).toBe(true);
		expect(parseArguments(z.object({}), 'Do', { a: 1 })).toMatchObject({
			message: expect.stringContaining('"a": not a parameter; the parameters are none.')
		});
	});

	it('are shown to the model as they are sent, what no schema says included', () => {
		const shown = parametersOf(z.object({ line: z.number().default(1), at: z.date() }));
		expect(shown).toMatchObject({ type: 'object', required: ['at'], properties: { line: { default: 1 }, at: {} } });
		expect(shown).not.toHaveProperty('$schema');
	});

	it('never reach another object’s prototype', () => {
		const parsed = parse(JSON.parse('{"path":"a","line":"1","__proto__":{"all":"true"}}'));
		expect(parsed).toMatchObject({ ok: false, message: expect.stringContaining('"__proto__": not a parameter') });
	});
});

describe.each([
	['anthropic', createAnthropicProfile({ model: 'claude-sonnet-4-5' })],
	['openai', createOpenAIProfile({ model: 'gpt-5' })],
	['gemini', createGeminiProfile({ model: 'gemini-2.5-pro' })],
	['pi', createPiProfile({ model: 'claude-sonnet-4-5' })]
])('the tools of the profile %s', (_, profile) => {
	const registry = new ToolRegistry(profile.tools);
	const named = registry.names().map((name): [string] => [name]);

	it.each(named)('%s refuses a parameter it does not have, and names those it has', (name) => {
		const args = { sandglass_no_such: 1 };
		const prepared = registry.prepare({ type: 'tool_call', id: '1', name, arguments: args });
		if (prepared.ok) throw new Error('It was taken.');
		expect(prepared.result.content).toContain(`Invalid arguments for ${name}`);
	});
});

it('takes a time limit of a command that is sent as text, and refuses one that is none', () => {
	const registry = new ToolRegistry(createAnthropicProfile({ model: 'claude-sonnet-4-5' }).tools);
	const prepare = (timeout: unknown) =>
		registry.prepare({ type: 'tool_call', id: '1', name: 'Bash', arguments: { command: 'ls', timeout } });
	expect(prepare('600000')).toMatchObject({ ok: true });
	expect(prepare('long')).toMatchObject({
		ok: false,
		result: { content: expect.stringContaining('Invalid arguments for Bash: timeout: ') }
	});
});
