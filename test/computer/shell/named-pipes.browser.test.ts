import { afterAll, beforeAll, expect, it } from 'vitest';
import nodeUrl from '#computer/node/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import { PROGRAMS } from '#computer/program-table.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { sandboxInPage } from '../in-page.ts';

const cwd = '/workspace';
let sandbox: ExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl }
	]);
});
afterAll(() => sandbox.cleanup());

/** Runs a script in a separate folder that contains the pipe `p`. */
async function inAFolder(script: string): Promise<string> {
	const { stdout, stderr } = await sandbox.exec(`mkdir f; cd f; mkfifo p; ${script}; cd ..; rm -rf f`, {
		cwd,
		timeoutMs: 30_000
	});
	return stdout + stderr;
}

it.each([
	['a job and the shell', 'echo one >p & cat p; wait', 'one\n'],
	[
		'redirections of a compound command',
		'{ read -r a; read -r b; } <p & printf "1\\n2\\n" >p; wait; echo end',
		'end\n'
	],
	['a descriptor that is both ends', 'exec 5<>p; echo hello >&5; read -ru 5 line; echo "$line"', 'hello\n'],
	[
		'commands that read whole files',
		'echo a >p & diff p <(echo b); echo b >p & grep -c b p; wait',
		'1c1\n< a\n---\n> b\n1\n'
	],
	[
		'readers of a line each',
		'(exec 3>p; printf "1\\n2\\n3\\n" >&3; read -r _ <q) & mkfifo q; read -r a <p; read -r b <p; echo "$a$b"; head -n1 p; echo >q; wait',
		'12\n3\n'
	],
	['more than it holds', 'seq 100000 >p & wc -l <p; wait', '100000\n'],
	['a writer whose reader has gone', '(yes >p; echo $? >status) & head -n1 p; wait; cat status', 'y\n141\n']
])('carries bytes between %s', async (_what, script, answer) => {
	expect(await inAFolder(script)).toBe(answer);
});

it('is an entry of its own kind to every command', async () => {
	const answer = await inAFolder(
		'exec 2>&1; test -p p && ls -F; ls -l p | cut -c1-10; stat -c %F p; find . -type p; file p; cp -R p q; test -p q; echo $?; ' +
			'echo x | rm -i q; echo; mv p r; test -p r; echo $?; mkfifo r; truncate -s1 r; touch r'
	);
	expect(answer).toBe(
		"p|\nprw-r--r--\nfifo\n./p\np: fifo (named pipe)\n0\nrm: remove fifo 'q'? \n0\n" +
			"mkfifo: cannot create fifo 'r': File exists\ntruncate: cannot open 'r' for writing: No such device or address\n"
	);
});

it('makes a command wait for the other end, which a signal ends', async () => {
	expect(await inAFolder('timeout 0.2 cat p; echo $?; echo x >p & sleep 0.1; kill $!; wait $!; echo $?')).toBe(
		'124\n143\n'
	);
});

it('is read and written by Node, also by two calls of one program that wait for each other', async () => {
	await sandbox.writeFile(
		`${cwd}/pipes.js`,
		`const fs = require('fs');
		const [, , how] = process.argv;
		if (how === 'whole') console.log(fs.readFileSync('p', 'utf8').trim(), fs.statSync('p').isFIFO());
		else if (how === 'write') fs.writeFileSync('p', 'from node\\n');
		else if (how === 'stream') fs.createReadStream('p').on('data', (data) => process.stdout.write('got ' + data));
		else {
			fs.open('p', 'r', (error, fd) => fs.read(fd, Buffer.alloc(9), 0, 9, null, (error, count, bytes) => {
				console.log(bytes.toString('utf8', 0, count));
				fs.close(fd, () => {});
			}));
			fs.promises.open('p', 'w').then(async (handle) => { await handle.write('itself'); await handle.close(); });
		}`
	);
	const script =
		'echo one >p & node ../pipes.js whole; wait; cat p & node ../pipes.js write; wait; ' +
		'echo two >p & node ../pipes.js stream; wait; node ../pipes.js both';
	expect(await inAFolder(script)).toBe('one true\nfrom node\ngot two\nitself\n');
});

it('is left out of what is saved, and stays where files are restored', async () => {
	await sandbox.exec('mkfifo kept; echo a >kept.txt', { cwd });
	const names = async () => (await sandbox.listDirectory(cwd, 1)).map(({ path }) => path);
	const snapshot = await sandbox.snapshot();
	expect([...snapshot.entries.keys()].filter((path) => path.startsWith('kept'))).toEqual(['kept.txt']);
	expect((await names()).filter((path) => path.startsWith('kept'))).toEqual(['kept.txt']);
	await sandbox.exec('rm kept.txt', { cwd });
	await sandbox.restore(snapshot);
	expect((await sandbox.exec('ls kept* && test -p kept && echo pipe', { cwd })).stdout).toBe('kept\nkept.txt\npipe\n');
	await expect(sandbox.stat(`${cwd}/kept`)).rejects.toThrow(/named pipe/);
});
