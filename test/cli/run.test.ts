import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SessionEvent } from '#agent/events.ts';
import { chooseModel } from '#cli/run/model.ts';
import { run } from '#cli/run/run.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import type { Scenario } from '#llm/scenario/types.ts';
import { captured } from './captured.ts';

afterEach(() => vi.unstubAllEnvs());

/** Starts a model server with a scenario, and makes it the only provider with a key. */
async function withModel(turns: Scenario['turns']): Promise<ModelServer> {
	const models = await startModelServer({ name: 'cli', turns });
	onTestFinished(() => models.close());
	for (const name of ['OPENAI_API_KEY', 'GEMINI_API_KEY']) vi.stubEnv(name, '');
	vi.stubEnv('ANTHROPIC_API_KEY', 'none');
	vi.stubEnv('ANTHROPIC_BASE_URL', models.url);
	return models;
}

async function folder(files: Record<string, string> = {}): Promise<string> {
	const directory = await mkdtemp(path.join(tmpdir(), 'sandglass-cli-'));
	onTestFinished(() => rm(directory, { recursive: true, force: true }));
	for (const [name, content] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
		await writeFile(path.join(directory, name), content);
	}
	return directory;
}

const WRITE: Scenario['turns'] = [
	{ toolCalls: [{ name: 'write_file', arguments: { path: 'hello.txt', content: 'hello\n' } }] },
	{ text: 'Written.' }
];

describe('sandglass run', () => {
	it('works on the folder, prints the answer to stdout and the steps to stderr', async () => {
		await withModel(WRITE);
		const directory = await folder();
		const { code, out, err } = await captured(run, '-C', directory, 'Write hello.txt');
		expect(code).toBe(0);
		expect(out).toBe('Written.\n');
		expect(err).toContain('• Write hello.txt');
		expect(err).toMatch(/Done after 2 turns/);
		expect(await readFile(path.join(directory, 'hello.txt'), 'utf8')).toBe('hello\n');
	});

	it('prints events as lines of JSON', async () => {
		await withModel(WRITE);
		const { code, out, err } = await captured(run, '--json', '-C', await folder(), 'Write hello.txt');
		const events = out
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as SessionEvent);
		expect(code).toBe(0);
		expect(err).toBe('');
		expect(events.map(({ type }) => type)).toEqual(
			expect.arrayContaining(['agent_start', 'tool_call_end', 'file_change', 'agent_end'])
		);
	});

	it('answers questions with no where there is no terminal, and changes nothing in plan mode', async () => {
		await withModel(WRITE);
		const directory = await folder();
		const { out } = await captured(run, '--mode', 'ask', '-C', directory, 'Write hello.txt');
		expect(out).toBe('Written.\n');
		await expect(readFile(path.join(directory, 'hello.txt'))).rejects.toThrow('ENOENT');
	});

	it('names the instructions of the folder that it does not follow, and follows them with --trust', async () => {
		const models = await withModel([{ text: 'Yes.' }, { text: 'Yes.' }]);
		const directory = await folder({ 'AGENTS.md': 'Always use tabs.' });
		const { err } = await captured(run, '-C', directory, 'Hi');
		expect(err).toContain('AGENTS.md is not followed. Use --trust');
		await captured(run, '--trust', '-C', directory, 'Hi');
		const [without, trusted] = models.requests
			.filter(({ method, path }) => method === 'POST' && path.includes('/messages'))
			.map(({ body }) => JSON.stringify(body));
		expect(without).not.toContain('Always use tabs.');
		expect(trusted).toContain('Always use tabs.');
	});

	it('names the hooks of the folder that do not run, and runs them with --hooks', async () => {
		const models = await withModel([{ text: 'Yes.' }, { text: 'Yes.' }]);
		const settings = { hooks: [{ event: 'message', command: 'echo the hook ran' }] };
		const directory = await folder({ '.sandglass/settings.json': JSON.stringify(settings) });
		const { err } = await captured(run, '-C', directory, 'Hi');
		expect(err).toContain('The hooks of .sandglass/settings.json do not run. Use --hooks');
		const second = await captured(run, '--hooks', '--mode', 'full', '-C', directory, 'Hi');
		expect(second.err).not.toContain('do not run');
		const [without, allowed] = models.requests
			.filter(({ method, path }) => method === 'POST' && path.includes('/messages'))
			.map(({ body }) => JSON.stringify(body));
		expect(without).not.toContain('the hook ran');
		expect(allowed).toContain('the hook ran');
	});

	it('ends with 3 where a limit stops it, and with 1 where the provider refuses', async () => {
		await withModel(WRITE);
		expect((await captured(run, '--max-turns', '1', '-C', await folder(), 'Write')).code).toBe(3);
		await withModel([{ fault: { kind: 'status', status: 401 } }]);
		const { code, err } = await captured(run, '-C', await folder(), 'Write');
		expect([code, /Error: .+/.test(err)]).toEqual([1, true]);
	});

	it('continues the session of a log file', async () => {
		const models = await withModel([{ text: 'First.' }, { text: 'Second.' }]);
		const directory = await folder();
		const log = path.join(await folder(), 'session.jsonl');
		for (const task of ['Remember me', 'And now'])
			expect((await captured(run, '--log', log, '-C', directory, task)).code).toBe(0);
		const last = models.requests.filter(({ method }) => method === 'POST').at(-1);
		expect(JSON.stringify(last?.body)).toMatch(/Remember me.*First\..*And now/);
	});

	it('writes escape sequences of a model as text', async () => {
		await withModel([{ text: 'a\u001b]0;title\u0007b\u202ec' }]);
		const { out } = await captured(run, '-C', await folder(), 'Hi');
		expect(out).toBe('a\\x1b]0;title\\x07b\\u202ec\n');
	});

	it('says what is wrong with its arguments', async () => {
		vi.stubEnv('ANTHROPIC_API_KEY', 'none');
		await expect(run([])).rejects.toThrow('Say what to do: sandglass run "Make the failing test pass".');
		await expect(run(['two', 'words'])).rejects.toThrow('Put the task into quotes');
		await expect(run(['--mode', 'yolo', 'x'])).rejects.toThrow('--mode is one of plan, ask, auto-edit, full');
		await expect(run(['--max-cost', '-1', 'x'])).rejects.toThrow(/max-cost/);
		await expect(run(['-C', '/nowhere/at/all', 'x'])).rejects.toThrow('/nowhere/at/all is no folder.');
		await expect(run([' '])).rejects.toThrow('The task is empty.');
	});
});

describe('the model of a run', () => {
	const anthropic = { ANTHROPIC_API_KEY: 'a' };
	it('is the best one of a provider with a key, else the one that serves the name', () => {
		expect(chooseModel({}, anthropic).provider).toBe('anthropic');
		expect(chooseModel({ model: 'gpt-5.2' }, { ...anthropic, OPENAI_API_KEY: 'o' }).provider).toBe('openai');
		expect(chooseModel({ model: 'qwen3' }, { COMPATIBLE_HOME_BASE_URL: 'http://localhost:1' })).toEqual({
			model: 'qwen3',
			provider: 'compatible-home'
		});
	});
	it('needs a key, and a provider where several could serve it', () => {
		expect(() => chooseModel({}, {})).toThrow('There is no key for a model. Set ANTHROPIC_API_KEY');
		expect(() => chooseModel({ provider: 'openai' }, anthropic)).toThrow(
			'There is no key for openai, only for anthropic.'
		);
		expect(() => chooseModel({ model: 'qwen3' }, { ...anthropic, OPENAI_API_KEY: 'o' })).toThrow(
			'Name the provider of qwen3 with --provider: one of anthropic, openai.'
		);
	});
});
