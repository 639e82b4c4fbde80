import { describe, expect, it } from 'vitest';
import { onlyScript } from '#llm/scenario/demo-script.ts';
import { demoScenario } from '#llm/scenario/demo-scenario.ts';
import { pageScenario } from '#llm/scenario/page-scenario.ts';
import type { ToolResultPart } from '#llm/types.ts';

const result = (content: string): ToolResultPart => ({
	type: 'tool_result',
	callId: '1',
	toolName: 'Bash',
	content,
	isError: false
});
const sentence = /^[A-Z0-9`][^]{8,}[.:]$/;

describe.each([
	[demoScenario, 'the sample project', 'the sample'],
	[pageScenario, 'the template Vanilla TypeScript', 'the template']
])('the script $name', (script, project, short) => {
	it('says in each turn what it does, and why where it thinks', () => {
		for (const { text, reasoning } of script.turns) {
			expect(text).toMatch(sentence);
			if (reasoning !== undefined) expect(reasoning).toMatch(sentence);
		}
	});

	it('ends with a list of what was done and how it was proved, and with what it is', () => {
		const [opening, list, closing, ...more] = (script.turns.at(-1)?.text ?? '').split('\n\n');
		expect(opening).toMatch(sentence);
		expect(list?.split('\n')).toHaveLength(3);
		for (const line of list?.split('\n') ?? []) expect(line).toMatch(/^- \*\*[A-Z][a-z ]+:\*\* .+\.$/);
		expect(list).toContain('**Proof:**');
		expect(closing).toContain('You have watched a script');
		expect(closing).toContain('Add an API key');
		expect(more).toEqual([]);
	});

	it('names its project where it stops', () => {
		expect(script.elsewhere).toContain(`written for ${project}, and this is another one`);
		expect(script.surprised).toContain(`since ${short} was opened`);
		for (const words of [script.elsewhere, script.surprised]) expect(words).toContain('add an API key');
	});
});

it('names both tasks, and the next step, to whoever asks for another', () => {
	const [first, second, ...more] = onlyScript.afterwards.split('\n\n');
	expect(first).toMatch(/German tests.*tip calculator/);
	expect(second).toMatch(/API key.*compatible server/);
	expect(more).toEqual([]);
});

describe('the task of the sample project', () => {
	it.each([
		'Mend the German tests',
		'umlaut',
		'umlauts are wrong',
		'fix the test',
		'Fix all tests',
		'please fix the bug'
	])('is "%s"', (text) => expect(demoScenario.isTask(text)).toBe(true));
	it.each(['Germany', 'fix it', 'run the tests', 'prefix the tests', 'tip calculator'])('is not "%s"', (text) =>
		expect(demoScenario.isTask(text)).toBe(false)
	);
});

describe('the script of the sample project', () => {
	const [, second] = demoScenario.turns;
	const last = demoScenario.turns.at(-1);

	it('knows the project by its package and its sources', () => {
		expect(second?.follows?.(result('package.json\nsrc'))).toBe(true);
		expect(second?.follows?.(result('package.json\nlib'))).toBe(false);
		expect(second?.follows?.(result('Cargo.toml\nsrc'))).toBe(false);
	});

	it('reads in the report whether a test failed', () => {
		expect(last?.follows?.(result('ℹ pass 26\nℹ fail 0'))).toBe(true);
		expect(last?.follows?.(result('ℹ pass 25\nℹ fail 1'))).toBe(false);
		expect(last?.follows?.(result('# pass 25\n# fail 12'))).toBe(false);
		expect(last?.follows?.(result('fail 3'))).toBe(false);
		expect(last?.follows?.(result('✔ says fail 3 times'))).toBe(true);
	});
});

describe('the script of the page', () => {
	const calls = pageScenario.turns.flatMap(({ toolCalls = [] }) => toolCalls);
	const written = String(calls.find(({ name }) => name === 'write_file')?.arguments['content']);
	const uses = calls.filter(({ arguments: { action } }) => action === 'act');

	it('looks at the sources first', () => {
		expect(calls[0]?.arguments).toEqual({ command: 'ls src && cat src/main.ts' });
	});

	it('writes the module that the entry shows, and edits that one', () => {
		const paths = calls.flatMap(({ arguments: { path } }) => (path === undefined ? [] : [path]));
		expect(paths).toEqual(['src/tip-calculator.ts', 'index.html', 'src/tip-calculator.ts', 'index.html']);
		const entry = String(calls[2]?.arguments['command']);
		expect(entry).toMatch(/^cat > src\/main\.ts <<'END'\n[^]*\nEND\nrm src\/counter\.ts$/);
		expect(entry).toContain("from './tip-calculator.ts'");
		expect(entry).toContain('append(tipCalculator())');
		expect(written).toContain('export function tipCalculator()');
	});

	it('fills each field of the page it writes, twice alike', () => {
		const [first, second] = uses;
		expect(uses).toHaveLength(2);
		expect(first).toEqual(second);
		const fields = [...written.matchAll(/id="(\w+)"/g)].map(([, id]) => `#${id}`);
		expect(first?.arguments['steps']).toEqual([
			{ kind: 'fill', on: fields[0], text: '80' },
			{ kind: 'fill', on: fields[1], text: '15' },
			{ kind: 'fill', on: fields[2], text: '4' }
		]);
	});

	it('goes on only where the page shows what it talks about', () => {
		const [, project, , fault, , mended] = pageScenario.turns;
		expect(project?.follows?.(result('counter.ts'))).toBe(true);
		expect(project?.follows?.(result('main.rs'))).toBe(false);
		expect(fault?.follows?.(result('Each pays 2003.00'))).toBe(true);
		expect(fault?.follows?.(result('Each pays 23.00'))).toBe(false);
		expect(mended?.follows?.(result('Each pays 23.00'))).toBe(true);
		expect(mended?.follows?.(result('Each pays 2003.00'))).toBe(false);
	});
});
