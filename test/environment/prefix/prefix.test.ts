import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { PrefixExecutionEnvironment } from '#environment/prefix/environment.ts';
import { shellWord } from '#environment/shell-word.ts';
import { MarkedStream } from '#environment/prefix/marked-stream.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { codeOf, entriesOf, until } from '#test/contract/environment/checks.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { containerLike, createPrefixed, removePrefixed, sshLike } from './temporary.ts';

afterEach(removePrefixed);

describe('a prefix', () => {
	it.each([
		['hands words on', containerLike],
		['makes a line of them', sshLike],
		['does so twice', () => ['sh', '-c', 'exec sh -c "$*"', 'ssh', ...sshLike().map(shellWord)]]
	])('that %s gets every word there as it is', async (_, prefix) => {
		const environment = await createPrefixed(prefix());
		const odd = 'a \'b\' "c" $HOME `d` \\ é\n*;&|<>(){}#!~';
		const { stdout, exitCode } = await environment.exec('printf %s "$ODD"; cat; exit 3', {
			env: { ODD: odd },
			stdin: odd
		});
		expect([stdout, exitCode]).toEqual([odd + odd, 3]);
		const name = 'it\'s "odd" $HOME \\n é.txt';
		await environment.writeFile(name, odd);
		expect(await environment.readFile(name)).toBe(odd);
		expect((await environment.listDirectory('.', 1)).map(({ path }) => path)).toEqual([name]);
		await environment.cleanup();
	});

	it('reads and writes for tools what lies on another machine, as slow as it may be [J.11-3.4]', async () => {
		const slow = ['sh', '-c', 'sleep 0.1; exec sh -c "$*"', 'ssh'];
		const { environment, call } = createHarness(await createPrefixed(slow));
		expect((await call('write', { path: 'd/a.txt', content: 'one\ntwo\n' })).isError).toBe(false);
		expect((await call('read', { path: 'd/a.txt', offset: 2 })).content).toContain('two');
		const edit = { path: 'd/a.txt', edits: [{ oldText: 'two', newText: '2' }] };
		expect((await call('edit', edit)).isError).toBe(false);
		expect((await call('bash', { command: 'cat d/a.txt' })).content).toBe('one\n2\n');
		await environment.cleanup();
	});

	it('resolves paths where the tools run, not on the host [J.11-3.5]', async () => {
		const directory = await realpath(await mkdtemp(join(tmpdir(), 'sandglass-container-')));
		const script = fileURLToPath(new URL('container.mjs', import.meta.url));
		const prefix = [process.execPath, script, directory];
		const options = { prefix, workingDirectory: '/container/app', home: '/container/home' };
		const { environment, call } = createHarness(new PrefixExecutionEnvironment(options));
		await environment.initialize();
		expect(environment.workingDirectory()).toBe('/container/app');
		await call('write', { path: '/container/app/src/a.txt', content: 'inside\n' });
		expect(await readFile(join(directory, 'app/src/a.txt'), 'utf8')).toBe('inside\n');
		expect(existsSync('/container')).toBe(false);
		expect((await call('read', { path: '/container/app/src/a.txt' })).content).toContain('inside');
		expect((await call('bash', { command: 'pwd; cat /container/app/src/a.txt' })).content).toBe(
			'/container/app\ninside\n'
		);
		expect(await environment.glob('**/*.txt', '.')).toEqual(['/container/app/src/a.txt']);
		await environment.writeFile('~/b.txt', 'home');
		expect(await readFile(join(directory, 'home/b.txt'), 'utf8')).toBe('home');
		await environment.cleanup();
		await rm(directory, { recursive: true });
	});

	it('says why nothing can be run behind it', async () => {
		const failing = async (prefix: string[]): Promise<string> => {
			const error: unknown = await new PrefixExecutionEnvironment({ prefix, workingDirectory: '/tmp/x' })
				.initialize()
				.catch((reason: unknown) => reason);
			return isEnvironmentError(error) ? `${error.code} ${error.message}` : String(error);
		};
		expect(await failing(['no-such-program-here'])).toMatch(/^EUNAVAILABLE .*no-such-program-here.*ENOENT/s);
		expect(await failing(['sh', '-c', 'echo "No such container: box" >&2; exit 1'])).toMatch(
			/^EUNAVAILABLE .*No such container: box/
		);
		expect(await failing([])).toMatch(/^EUNAVAILABLE/);
	});

	it('does not hand on secrets of the machine there, and sets what it is given', async () => {
		const prefix = [...containerLike(), 'BOX_API_KEY=secret', 'BOX_PLAIN=plain'];
		const environment = await createPrefixed(prefix, { variables: { inherit: 'all', set: { OWN: "it's" } } });
		const { stdout } = await environment.exec('echo "${BOX_API_KEY-unset} $BOX_PLAIN $OWN"');
		expect(stdout).toBe("unset plain it's\n");
		await environment.cleanup();
	});

	it('does not wait for a child that holds the output, and ends it with cleanup', async () => {
		const environment = await createPrefixed(sshLike());
		const { stdout } = await environment.exec('(while true; do echo x >> beat; sleep 0.02; done) & echo started');
		expect(stdout).toBe('started\n');
		const place = join(environment.workingDirectory(), 'beat');
		await until(() => existsSync(place));
		await environment.cleanup();
		const before = await readFile(place, 'utf8');
		await new Promise((resolve) => setTimeout(resolve, 150));
		expect(await readFile(place, 'utf8')).toBe(before);
	});

	it('writes nothing where the connection ends in the middle of a file', async () => {
		const cut = ['sh', '-c', 'head -c 3 | sh -c "$*"', 'ssh'];
		const environment = await createPrefixed(sshLike());
		await environment.writeFile('a.txt', 'old');
		const workingDirectory = environment.workingDirectory();
		const cutting = new PrefixExecutionEnvironment({ prefix: cut, workingDirectory, home: tmpdir() });
		expect(await codeOf(cutting.writeFile('a.txt', 'a longer text'))).toBe('EIO');
		expect(await environment.readFile('a.txt')).toBe('old');
		expect((await environment.exec('ls -A')).stdout).toBe('a.txt\n');
		await cutting.cleanup();
		await environment.cleanup();
	});

	it('searches also where there is no ripgrep, and reads many files in few steps', async () => {
		const log = join(await mkdtemp(join(tmpdir(), 'sandglass-prefix-log-')), 'log');
		await writeFile(log, '');
		const counting = ['sh', '-c', `echo run >> ${log}; exec sh -c "$*"`, 'ssh'];
		const environment = await createPrefixed(counting, { ripgrep: false });
		const names = Array.from({ length: 200 }, (_, index) => `src/f${index}.ts`);
		await environment.load(
			entriesOf({ ...Object.fromEntries(names.map((name) => [name, `${name} needle\n`])), '.gitignore': 'src/f1.ts\n' })
		);
		const runs = async (): Promise<number> => (await readFile(log, 'utf8')).split('\n').length - 1;
		const before = await runs();
		expect((await environment.grep('needle', '.', { output: 'files' })).split('\n')).toHaveLength(200);
		await environment.snapshot();
		await environment.exec('for f in src/*; do echo more >> $f; done');
		expect((await runs()) - before).toBeLessThan(12);
		expect(await environment.grep('f7\\.ts', 'src/f7.ts')).toBe('src/f7.ts:1:src/f7.ts needle\n');
		await environment.cleanup();
	});

	it('loads files of many directories in few steps, whatever their names, and reports each once', async () => {
		const log = join(await mkdtemp(join(tmpdir(), 'sandglass-prefix-log-')), 'log');
		const environment = await createPrefixed(['sh', '-c', `echo run >> ${log}; exec sh -c "$*"`, 'ssh']);
		const runs = async (): Promise<number> => (await readFile(log, 'utf8')).split('\n').length - 1;
		const odd = ['top', ' a b/*', "d?/it's", 'd?/$HOME', 'e/[x]/-n', 'e/-p/\\n', 'd?/again'];
		const names = [
			...odd,
			...Array.from({ length: 1_500 }, (_, index) => `src/${index % 50}/${'x'.repeat(40)}${index}`)
		];
		const heard: string[] = [];
		environment.onChange(({ path, kind }) => heard.push(`${kind} ${path}`));
		const before = await runs();
		await environment.load(entriesOf(Object.fromEntries(names.map((name) => [name, name]))));
		expect((await runs()) - before).toBeLessThan(12);
		const written = names.map((name) => `write ${environment.workingDirectory()}/${name}`);
		expect(heard).toEqual(written);
		await environment.exec('true');
		expect(heard).toEqual(written);
		const { entries } = await environment.snapshot();
		expect([...entries.keys()].sort()).toEqual([...names].sort());
		expect(await environment.readFile('e/-p/\\n')).toBe('e/-p/\\n');
		await environment.symlink('src', 'link');
		expect(await codeOf(environment.load(entriesOf({ 'src/ok': '', 'link/0/x': '' })))).toBe('EACCES');
		expect(await codeOf(environment.load(entriesOf({ 'src/0': '' })))).toBe('EISDIR');
		expect(await codeOf(environment.load(entriesOf({ 'top/below/x': '' })))).toBe('ENOTDIR');
		await environment.cleanup();
	});
});

describe('a stream with a mark at its end', () => {
	it('gives what is before it, however it is cut', () => {
		const whole = new TextEncoder().encode('MARé MARMARK pid -1\nsome MAR textMARK exit 0 \nlate');
		for (let first = 0; first < whole.length; first++)
			for (let second = first; second < whole.length; second += 3) {
				const seen: string[] = [];
				const lines: string[] = [];
				const stream = new MarkedStream(
					'MARK',
					(text) => seen.push(text),
					(line) => lines.push(line) === 2
				);
				for (const part of [whole.subarray(0, first), whole.subarray(first, second), whole.subarray(second)])
					stream.add(part);
				stream.finish();
				expect([seen.join(''), lines]).toEqual(['MARé MARsome MAR text', ['pid -1', 'exit 0 ']]);
			}
	});
});
