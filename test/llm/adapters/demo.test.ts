import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createDemoAdapter, demoTurn } from '#llm/adapters/demo.ts';
import { createClient } from '#llm/client.ts';
import { proxyProviders } from '#llm/providers.ts';
import { demoScenario, demoTask } from '#llm/scenario/demo-scenario.ts';
import { pageScenario, pageTask } from '#llm/scenario/page-scenario.ts';
import type { Message, ToolDefinition } from '#llm/types.ts';
import { collect, only, user } from '../wires.ts';

const tool = (name: string, ...properties: string[]): ToolDefinition => ({
	name,
	description: name,
	parameters: { type: 'object', properties: Object.fromEntries(properties.map((each) => [each, { type: 'string' }])) }
});
const tools = [
	tool('Bash', 'command'),
	tool('Write', 'file_path', 'content'),
	tool('preview', 'action', 'path', 'steps', 'width', 'height'),
	tool('Read', 'file_path'),
	tool('Edit', 'file_path', 'old_string', 'new_string')
];
const fast = createClient({
	providers: { demo: createDemoAdapter({ name: 'demo' }, { chunkCharacters: 1000, delayMs: 0 }) }
});

/** Plays the whole script, answering each call of a turn with `result`, or with its return value for that turn. */
async function play(result: string | ((turn: number) => string), first = demoTask) {
	const messages: Message[] = [user(first)];
	const calls: [string, Record<string, unknown>][] = [];
	for (let turn = 0; ; turn++) {
		const response = await fast.complete({ model: 'demo', provider: 'demo', messages, tools });
		messages.push(response.message);
		if (response.finishReason !== 'tool_calls') return { messages, calls };
		for (const part of response.message.content) {
			if (part.type !== 'tool_call') continue;
			calls.push([part.name, part.arguments]);
			const content = typeof result === 'string' ? result : result(turn);
			messages.push({
				role: 'tool',
				content: [{ type: 'tool_result', callId: part.id, toolName: part.name, content, isError: false }]
			});
		}
	}
}

describe('the demo model', () => {
	it('plays its script with the tools it is offered', async () => {
		const { calls, messages } = await play('package.json\nsrc\ntest');
		expect(calls).toEqual([
			['Bash', { command: "ls '.'" }],
			['Bash', { command: 'npm test' }],
			['Read', { file_path: 'src/replacements.ts' }],
			['Edit', expect.objectContaining({ file_path: 'src/replacements.ts' })],
			['Bash', { command: 'npm test' }]
		]);
		expect(JSON.stringify(messages.at(-1))).toContain('Add an API key');
		messages.push(user('And now write me a poem'));
		const after = await fast.complete({ model: 'demo', provider: 'demo', messages, tools });
		expect(JSON.stringify(after.message)).toContain('I am a script, not a model');
	});

	it('edits the sample project as it is', async () => {
		const source = await readFile(new URL('../../../public/sample/src/replacements.ts', import.meta.url), 'utf8');
		const edit = demoScenario.turns.flatMap((turn) => turn.toolCalls ?? []).find((call) => call.name === 'edit_file');
		const old = String(edit?.arguments['old_string']);
		expect(source.split(old)).toHaveLength(2);
		expect(source.replace(old, String(edit?.arguments['new_string']))).toMatch(/\.\.\.german,\n\t\.\.\.latin,/);
	});

	it('finds the fault of the page it builds by using it, and mends it', async () => {
		const shown = ['counter.ts main.ts', '', 'Each pays 2003.00', '', 'Each pays 23.00', ''];
		const { calls, messages } = await play((turn) => shown[turn] ?? '', pageTask);
		const actions = calls.map(([name, args]) => (name === 'preview' ? args['action'] : name));
		expect(actions).toEqual(['Bash', 'Write', 'Bash', 'open', 'act', 'Edit', 'open', 'act', 'resize', 'screenshot']);
		expect(JSON.stringify(messages.at(-1))).toContain('Found by using it');
		const written = String(calls[1]?.[1]['content']);
		const [, { old_string: fault, new_string: mended }] = calls[5] ?? ['', {}];
		expect(written.split(String(fault))).toHaveLength(2);
		expect(written).not.toContain(String(mended));
	});

	it.each([
		['is used in another project', ['main.rs'], pageScenario.elsewhere],
		['sees no fault', ['counter.ts', '', 'Each pays 23.00'], pageScenario.surprised],
		['still sees the fault', ['counter.ts', '', 'Each pays 2003.00', '', 'Each pays 2003.00'], pageScenario.surprised]
	])('does not claim a page that works when it %s', async (_, shown, said) => {
		const { messages } = await play((turn) => shown[turn] ?? '', pageTask);
		expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: said }]);
	});

	it('says so in another project, and to another task', async () => {
		const { messages } = await play('Cargo.toml\nlib.rs');
		expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: demoScenario.elsewhere }]);
		expect(demoTurn([user('Hello there')]).text).toContain('add an API key');
	});

	it('does not claim what did not happen', async () => {
		const { messages, calls } = await play('package.json\nsrc\nℹ tests 26\nℹ pass 22\nℹ fail 4');
		expect(calls).toHaveLength(5);
		expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: demoScenario.surprised }]);
	});

	const answer = (name: string, content: string, isError = false): Message => ({
		role: 'tool',
		content: [{ type: 'tool_result', callId: 'a', toolName: name, content, isError }]
	});
	const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
	const start = [user(demoTask), said('Looking.'), answer('Bash', 'package.json\nsrc')];

	it('goes on where the history ends, whoever played what comes before', () => {
		expect(demoTurn([user(demoTask)])).toBe(demoScenario.turns[0]);
		expect(demoTurn(start)).toBe(demoScenario.turns[1]);
		expect(demoTurn([user('Hello'), said('Hi'), ...start])).toBe(demoScenario.turns[1]);
	});

	it('goes on after failing tests, and stops at any other failure', () => {
		const tested = [...start, said('Testing.'), answer('Bash', 'fail 4', true)];
		expect(demoTurn(tested)).toBe(demoScenario.turns[2]);
		expect(demoTurn([...tested, said('Reading.'), answer('Read', 'No such file', true)]).text).toBe(
			demoScenario.surprised
		);
		expect(demoTurn([user(demoTask), said('Looking.'), answer('Bash', 'package.json\nsrc', true)]).text).toBe(
			demoScenario.elsewhere
		);
	});

	it('has no more to say once it is through, or before it is asked anything', () => {
		const all = demoScenario.turns.map(({ text }) => said(text ?? ''));
		expect(demoTurn([user(demoTask), ...all, user('')]).text).toContain('I am a script');
		expect(demoTurn([]).text).toContain('I am a script');
	});

	it('answers what it is asked in between as what it is, and is not disturbed by an empty message', () => {
		expect(demoTurn([...start, user('Stop, do something else.')]).text).toContain('I am a script');
		expect(demoTurn([...start, user('')])).toBe(demoScenario.turns[1]);
	});

	it('plays again where its last words were said by the user, or in another script', () => {
		const ending = demoScenario.turns.at(-1)?.text ?? '';
		expect(demoTurn([user(ending), user(demoTask)])).toBe(demoScenario.turns[0]);
		expect(demoTurn([said(ending), user(pageTask)])).toBe(pageScenario.turns[0]);
		expect(demoTurn([said(ending), user(demoTask)]).text).toContain('I am a script');
		expect(demoTurn([said('Nothing of the kind.'), user(demoTask)])).toBe(demoScenario.turns[0]);
		const thought: Message = {
			role: 'assistant',
			content: [
				{ type: 'thinking', text: 'Hm.' },
				{ type: 'text', text: ending.slice(0, 9) },
				{ type: 'text', text: ending.slice(9) }
			]
		};
		expect(demoTurn([thought, user(demoTask)]).text).toContain('I am a script');
	});

	it('gives each response and each call an id of its own, and says why it ended', async () => {
		const ask = (messages: Message[]) => fast.complete({ model: 'demo', provider: 'demo', messages, tools });
		const [first, second] = [await ask([user(demoTask)]), await ask([user(demoTask)])];
		const ids = [first, second].flatMap(({ id, message }) => [
			id,
			...message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))
		]);
		expect(ids).toHaveLength(4);
		expect(new Set(ids).size).toBe(4);
		for (const id of ids) expect(id).toMatch(/^demo_[0-9a-f-]{36}$/);
		expect(first.finishReason).toBe('tool_calls');
		expect((await ask([user('Hello')])).finishReason).toBe('stop');
	});

	it('plays once, and answers other tasks as what it is', async () => {
		const { messages } = await play('package.json\nsrc\nℹ pass 26\nℹ fail 0');
		expect(JSON.stringify(demoTurn([...messages, user(demoTask)]))).toContain('I am a script');
		expect(JSON.stringify(demoTurn([user('Write a test for Greek')]))).toContain('I am a script');
	});

	it.each([demoScenario, pageScenario])('needs no more than 20 s in all: $name', (script) => {
		const letters = script.turns.reduce(
			(sum, turn) => sum + JSON.stringify([turn.reasoning ?? '', turn.text ?? '', turn.toolCalls ?? []]).length,
			0
		);
		// 12 letters every 30 ms.
		expect((letters / 12) * 0.03).toBeLessThan(15);
	});

	it('is there without a server or a key, streams, and stops on request', async () => {
		const client = createClient({ providers: proxyProviders('http://localhost:1', []) });
		const controller = new AbortController();
		const events = [];
		const request = { model: 'demo', provider: 'demo', messages: [user(demoTask)], signal: controller.signal };
		for await (const event of client.stream(request)) {
			events.push(event);
			if (event.type === 'reasoning_delta') controller.abort();
		}
		expect(only(events, 'error').error).toMatchObject({ code: 'aborted' });
		const { response } = only(
			await collect(client.stream({ ...request, signal: undefined, messages: [user('hi')] })),
			'finish'
		);
		expect(response.usage.costUsd).toBe(0);
	});
});
