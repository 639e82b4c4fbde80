import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecOptions, Trial } from '#environment/contract.ts';
import { READ_ONLY_RIGHTS } from '#environment/contract.ts';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import type { WireRequest } from '#computer/abi/syscalls.ts';

const NOTHING = { files: [], hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false };
const requests: WireRequest[] = [];

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = createWasmEnvironment({
		egress: (request) => {
			requests.push(request);
			const body = new TextEncoder().encode('from outside');
			return Promise.resolve({ status: 200, statusText: 'OK', headers: [], url: request.url, body });
		}
	});
	await sandbox.initialize();
	await sandbox.exec(
		'git init -q . && echo one > a.txt && mkdir -p src && echo two > src/b.txt && git add . && git -c user.name=n -c user.email=e@x commit -qm first'
	);
});
afterAll(() => sandbox.cleanup());

/** Everything below the writable roots, and running processes and servers. */
async function stateOf(environment: WasmExecutionEnvironment): Promise<string> {
	const { stdout } = await environment.exec(
		'find /workspace /home/user /tmp -type f -o -type l -o -type d -empty | sort | while read -r f; do echo "$f $(cat "$f" 2>/dev/null | sha1sum)"; done'
	);
	return `${stdout}${JSON.stringify(environment.loopback?.ports)}`;
}

async function tryOut(command: string, options?: ExecOptions): Promise<Trial> {
	const before = await stateOf(sandbox);
	const trial = await sandbox.runOnTrial(command, options);
	expect(await stateOf(sandbox), 'the trial itself changes nothing').toBe(before);
	return trial;
}

const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

describe('a command on trial', () => {
	it.each([
		'true',
		'ls -la && cat a.txt src/b.txt | awk "{print}" | sort -u',
		'git status && git log --oneline && git diff',
		'node -e "console.log(1+1)"',
		'for i in 1 2 3; do echo $i; done > /tmp/scratch; cat /tmp/scratch',
		'mkdir /tmp/x && touch /tmp/x/y',
		'kill -0 $$',
		'true > /dev/null'
	])('wants nothing where it only looks: %s', async (command) => {
		const trial = await tryOut(command);
		expect(trial.result, trial.result.stderr).toMatchObject({ exitCode: 0 });
		expect(trial.effects).toEqual(NOTHING);
		await trial.discard();
	});

	it('gives what it prints and exits with, as any command', async () => {
		const chunks: string[] = [];
		const trial = await tryOut('echo out; echo err >&2; cat; exit 3', {
			stdin: 'typed',
			onOutput: ({ data }) => chunks.push(data)
		});
		expect(trial.result).toMatchObject({ stdout: 'out\ntyped', stderr: 'err\n', exitCode: 3, timedOut: false });
		expect(chunks.join('')).toContain('typed');
		await trial.discard();
	});

	it('names the files it writes, removes and moves, with their contents on both sides', async () => {
		const trial = await tryOut(
			'echo more >> a.txt; mv src lib; rm -f none; echo new > new.txt; chmod +x new.txt; ln -s a.txt link'
		);
		expect(trial.effects).toEqual({
			...NOTHING,
			files: [
				{ path: '/workspace/a.txt', kind: 'modified' },
				{ path: '/workspace/lib/b.txt', kind: 'added' },
				{ path: '/workspace/link', kind: 'added' },
				{ path: '/workspace/new.txt', kind: 'added' },
				{ path: '/workspace/src/b.txt', kind: 'removed' }
			]
		});
		expect(text(await trial.read('/workspace/a.txt', 'before'))).toBe('one\n');
		expect(text(await trial.read('/workspace/a.txt', 'after'))).toBe('one\nmore\n');
		expect(await trial.read('/workspace/new.txt', 'before')).toBeNull();
		expect(text(await trial.read('/workspace/link', 'after'))).toBe('a.txt');
		await trial.discard();
		await trial.discard();
	});

	it.each([
		['a line that hides its writes', 'to\\\nuch hid\\\nden', ['/workspace/hidden']],
		['quotes inside arithmetic', 'echo $(( $(touch sum >&2; echo 1) ))', ['/workspace/sum']],
		['uniq with an output file', 'uniq a.txt out.txt', ['/workspace/out.txt']],
		['xargs', 'echo z | xargs -I{} touch {}', ['/workspace/z']],
		['a script of the model', `node -e "require('fs').writeFileSync('n.txt','')"`, ['/workspace/n.txt']],
		[
			'a child of a child',
			`sh -c "node -e \\"require('child_process').execSync('touch deep')\\""`,
			['/workspace/deep']
		],
		['a file of the home', 'echo evil >> ~/.bashrc', ['/home/user/.bashrc']],
		['a hook', 'printf "#!/bin/sh\\n" > .git/hooks/pre-commit', ['/workspace/.git/hooks/pre-commit']],
		['a place behind a link', 'ln -s /home/user /tmp/h && touch /tmp/h/.profile', ['/home/user/.profile']],
		['an empty directory', 'mkdir empty', ['/workspace/empty']]
	])('sees through %s', async (_, command, paths) => {
		const trial = await tryOut(command);
		expect(trial.effects.files.map(({ path }) => path)).toEqual(paths);
		await trial.discard();
	});

	it('reaches no host, names those it wanted, and reaches those it has a right to', async () => {
		requests.length = 0;
		const refused = await tryOut('curl -s https://one.example/x; curl -s https://two.example:8443/');
		expect(refused.effects).toEqual({ ...NOTHING, hosts: ['one.example', 'two.example:8443'] });
		expect(requests).toEqual([]);
		await refused.discard();
		const rights = { ...READ_ONLY_RIGHTS, network: ['one.example'] };
		const allowed = await tryOut('curl -s https://one.example/x', { rights });
		expect(allowed.result.stdout).toBe('from outside');
		expect(allowed.effects).toEqual(NOTHING);
		expect(requests.map(({ url }) => url)).toEqual(['https://one.example/x']);
		await allowed.discard();
	});

	it('has a loopback of its own, and does not reach servers outside', async () => {
		const server = `require('http').createServer((_, answer) => answer.end('hi')).listen(PORT, () => console.log('up'))`;
		const outside = await sandbox.start(`node -e "${server.replace('PORT', '4000')}"`);
		await expect.poll(() => sandbox.loopback?.ports.map(({ port }) => port)).toEqual([4000]);
		const inside = await tryOut(
			`node -e "${server.replace('PORT', '4001')}" & until curl -s localhost:4001; do sleep 0.05; done; kill %1; wait`
		);
		expect(inside.result.stdout).toContain('hi');
		expect(inside.effects).toEqual(NOTHING);
		await inside.discard();
		const reaching = await tryOut('curl -s localhost:4000 || echo refused');
		expect(reaching.result.stdout).toBe('refused\n');
		expect(reaching.effects).toEqual({ ...NOTHING, hosts: ['localhost:4000'] });
		await reaching.discard();
		await outside.kill();
	});

	it('is stopped when it serves and does not end, and names the port', async () => {
		const trial = await sandbox.runOnTrial(`node -e "require('http').createServer().listen(4002)"`);
		expect(trial.effects).toEqual({ ...NOTHING, servers: [4002] });
		expect(sandbox.loopback?.ports).toEqual([]);
		await trial.discard();
	});

	it('signals nothing outside, and names what it wanted to', async () => {
		const outside = await sandbox.start('sleep 100');
		const trial = await sandbox.runOnTrial(`kill ${outside.pid}; pkill sleep; true`);
		expect(trial.effects.signals).toContainEqual({
			pid: outside.pid,
			signal: 'SIGTERM',
			command: expect.stringContaining('sleep')
		});
		await trial.discard();
		let ended = false;
		void outside.exited.then(() => (ended = true));
		expect((await sandbox.exec(`kill -0 ${outside.pid}`)).exitCode).toBe(0);
		expect(ended).toBe(false);
		await outside.kill();
	});

	it('names what it leaves running, and ends it', async () => {
		const trial = await sandbox.runOnTrial('sleep 1000 &');
		expect(trial.effects.leftRunning).toEqual([expect.stringContaining('sleep')]);
		await trial.discard();
		expect((await sandbox.exec('ps aux')).stdout).not.toContain('sleep 1000');
	});

	it('can be stopped, and names what it did until then', async () => {
		const stop = new AbortController();
		const trial = await sandbox.runOnTrial('touch early; echo done; sleep 1000', {
			signal: stop.signal,
			onOutput: () => stop.abort()
		});
		expect(trial.result).toMatchObject({ exitCode: 130 });
		expect(trial.effects.files).toEqual([{ path: '/workspace/early', kind: 'added' }]);
		await trial.discard();
	});
});

describe('applying a trial', () => {
	const COMMAND =
		'echo x >> a.txt; mkdir -p new/deep && mv src/b.txt new/deep/c.txt && chmod +x a.txt; ln -sf ../a.txt new/l; mkdir e; git add -A && git -c user.name=n -c user.email=e@x commit -qm second --date=2026-01-01T00:00:00Z';

	it('leaves the tree that the real run leaves', async () => {
		const tree = async (environment: { exec: WasmExecutionEnvironment['exec'] }) =>
			(
				await environment.exec(
					'git status --porcelain; git ls-files -s; find . -path ./.git -prune -o -print | sort | while read -r f; do test -x "$f" && echo "$f x" || echo "$f"; done'
				)
			).stdout;
		const real = await sandbox.overlay();
		await real.exec(COMMAND);
		const trial = await tryOut(COMMAND);
		const { conflicts } = await trial.apply();
		expect(conflicts).toEqual([]);
		expect(await tree(sandbox)).toBe(await tree(real));
		await real.cleanup();
	});

	it('notifies listeners of every file before it resolves', async () => {
		const seen: string[] = [];
		const stop = sandbox.onChange(({ path, kind }) => seen.push(`${kind} ${path}`));
		const trial = await sandbox.runOnTrial('echo 1 > told.txt');
		expect(seen).toEqual([]);
		await trial.apply();
		expect(seen).toContain('write /workspace/told.txt');
		stop();
	});

	it('leaves alone what changed outside meanwhile, and reports it', async () => {
		await sandbox.exec('echo base > c1; echo base > c2');
		const trial = await sandbox.runOnTrial('echo trial > c1; echo trial > c2; echo same > c3');
		await sandbox.exec('echo outside > c1; echo same > c3');
		expect(await trial.apply()).toEqual({
			merged: [
				{ path: '/workspace/c2', kind: 'modified' },
				{ path: '/workspace/c3', kind: 'added' }
			],
			conflicts: [{ path: '/workspace/c1', kind: 'modified' }]
		});
		expect((await sandbox.exec('cat c1 c2 c3')).stdout).toBe('outside\ntrial\nsame\n');
	});
});

describe('a command with rights to read only', () => {
	const refused = async (command: string) => {
		const before = await stateOf(sandbox);
		const result = await sandbox.exec(command, { rights: READ_ONLY_RIGHTS });
		expect(await stateOf(sandbox)).toBe(before);
		return result;
	};

	it.each([
		'touch x',
		'echo x > /tmp/x',
		'echo x >> a.txt',
		'rm a.txt',
		'mv a.txt b',
		'cp a.txt b',
		'ln -s a.txt l',
		'ln a.txt l',
		'chmod +x c2',
		'mkdir d',
		'mkdir -p d/e',
		`node -e "require('fs').writeFileSync('x','')"`,
		`sh -c 'sh -c "touch x"'`,
		'git config user.name x',
		'touch -d 2020-01-01 a.txt'
	])('changes nothing: %s', async (command) => {
		const { exitCode, stderr } = await refused(command);
		expect(exitCode).not.toBe(0);
		expect(stderr).not.toBe('');
	});

	it('reads, and may write where it has a right to, and no further', async () => {
		expect((await refused('cat c2 && git log --oneline | wc -l && mkdir -p new')).exitCode).toBe(0);
		const rights = { ...READ_ONLY_RIGHTS, write: ['/workspace/new', '/workspace/only.txt'] };
		await sandbox.exec('ln -s ../a.txt new/up; echo o > only.txt');
		const { stderr } = await sandbox.exec(
			'echo 1 > new/ok; echo 2 > only.txt; echo 3 > other; echo 4 > new/up; echo 5 > new/../sneak',
			{ rights }
		);
		expect((await sandbox.exec('cat new/ok only.txt; ls')).stdout).toMatch(/^1\n2\n(?!.*other)(?!.*sneak)/s);
		expect(stderr.split('\n').filter((line) => line !== '')).toHaveLength(3);
	});

	it('reaches no host and no server that is not its own, and signals no one else', async () => {
		requests.length = 0;
		const outside = await sandbox.start('sleep 100');
		expect((await refused(`curl -s https://one.example`)).exitCode).not.toBe(0);
		expect((await refused(`kill ${outside.pid}`)).exitCode).not.toBe(0);
		expect((await refused('sleep 50 & kill $!; wait')).stderr).toBe('');
		expect(requests).toEqual([]);
		await outside.kill();
	});
});
