import { afterAll, beforeAll, expect, it } from 'vitest';
import shellUrl from '#computer/shell/main.ts?program';
import wordUrl from '../fixtures/word.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: ExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ name: 'word', commands: ['word'], hot: false, url: wordUrl }
	]);
});
afterAll(() => sandbox.cleanup());

/** No command here takes this long on any machine. */
const HANGS = { timeoutMs: 50_000 };

it('gives programs no TERM without a terminal, as a real machine does', async () => {
	const { stdout } = await sandbox.exec('echo $TERM; env | grep -c ^TERM=; TERM=xterm env | grep ^TERM=', HANGS);
	expect(stdout).toBe('dumb\n0\nTERM=xterm\n');
});

it('shows output as it is produced', async () => {
	// Each waits for a file that appears only after its earlier output has arrived.
	const wait = (file: string) => `until [ -e ${file} ]; do sleep 0.01; done`;
	const command = `echo a; ${wait('seen-a')}; echo b; for i in 1 2; do bash -c "echo inner$i; ${wait('seen-inner$i')}"; done 2>&1`;
	let shown = '';
	const { stdout, timedOut } = await sandbox.exec(command, {
		...HANGS,
		onOutput: ({ data }) => {
			shown += data;
			for (const word of ['a', 'inner1', 'inner2'])
				if (shown.includes(`${word}\n`)) void sandbox.writeFile(`seen-${word}`, '');
		}
	});
	expect([stdout, timedOut]).toEqual(['a\nb\ninner1\ninner2\n', false]);
});

it('brings the output of jobs that are the last thing of a script', async () => {
	const jobs = "bash -c 'echo a & echo b & echo c &' | sort; ";
	expect(await sandbox.exec(jobs.repeat(5), HANGS)).toMatchObject({ stdout: 'a\nb\nc\n'.repeat(5), stderr: '' });
});

it('leaves the rest of a script on stdin to the commands that read', async () => {
	const script = 'read x\\nhello\\necho "got $x"\\nf() {\\n echo in f\\n}\\nf; cat\\nthe rest\\n';
	const { stdout } = await sandbox.exec(`printf '${script}' >s; bash <s; printf '${script}' | bash`, HANGS);
	expect(stdout).toBe('got hello\nin f\nthe rest\n'.repeat(2));
});

it('reads on behind a line of stdin that an alias opens', async () => {
	await sandbox.writeFile(
		'aliases',
		"alias begin='if true; then' join='echo \\' text='cat <<E'\nbegin\necho in; fi\njoin\n on\ntext\nbody\nE\n"
	);
	const { stdout, stderr } = await sandbox.exec('bash --posix <aliases', HANGS);
	expect([stdout, stderr]).toEqual(['in\non\nbody\n', '']);
});

it('reads its commands from the file that exec gives them, and shares one input among descriptors', async () => {
	const { stdout } = await sandbox.exec(
		"printf 'echo one\\nexec < r2\\necho no\\n' >r1; echo 'echo two' >r2; bash <r1; echo 'cat <&3' | bash 3<&0; echo from pipe | bash 3<&0 -c 'cat <&3'",
		HANGS
	);
	expect(stdout).toBe('one\ntwo\nfrom pipe\n');
});

it('complains each time about a descriptor that it was given only to read', async () => {
	const { stdout } = await sandbox.exec(
		'echo in >r; exec 3<r; bash -c "echo x >&3; echo \\$?; echo y >&3" 2>&1; exec 3>w; bash -c "echo a >&3; echo b >&3"; cat w',
		HANGS
	);
	const fault = 'bash: line 1: echo: write error: Bad file descriptor\n';
	expect(stdout).toBe(`${fault}1\n${fault}a\nb\n`);
});

it('ends with timeout what a command has started, too, by the signal that was asked for', async () => {
	await sandbox.writeFile('lasting', 'echo on; while :; do sleep 0.1; done');
	await sandbox.writeFile('outer', 'bash ./lasting; :');
	const left = 'while ps -e -o args= | grep -q "[.]/lasting"; do sleep 0.05; done';
	expect(await sandbox.exec(`timeout 1 bash outer; echo $?; ${left}`, HANGS)).toMatchObject({
		stdout: 'on\n124\n',
		timedOut: false
	});
	await sandbox.writeFile('ignoring', "trap '' INT; while :; do :; done");
	const { stdout, stderr } = await sandbox.exec('timeout -v -k 0.5 -s INT 1 bash ignoring; echo $?', HANGS);
	expect(stderr).toBe(
		"timeout: sending signal INT to command 'bash'\ntimeout: sending signal KILL to command 'bash'\n"
	);
	expect(stdout).toBe('137\n');
});

it('ends endless producers when no one reads any more', async () => {
	expect((await sandbox.exec('yes | head -1', HANGS)).stdout).toBe('y\n');
	expect((await sandbox.exec('bash -c "yes out" | head -2 | wc -l; echo ${PIPESTATUS[0]}', HANGS)).stdout).toMatch(
		/^2\n/
	);
	expect((await sandbox.exec('while :; do echo x; done | head -3 | tail -1', HANGS)).stdout).toBe('x\n');
});

it('streams through processes, redirections and substitutions', async () => {
	const { stdout } = await sandbox.exec(
		[
			'bash -c "echo one; echo two" | bash -c "read a; read b; echo \\$b \\$a" | cat',
			'bash -c "echo out; echo err >&2" > f 2>&1; cat f',
			'echo "<$(bash -c "echo sub; exit 3")> $?"',
			'printf "1\\n2\\n3\\n" > list; while read -r n; do bash -c "echo got $n"; done < list',
			'bash -c "exit 9" || echo "failed with $?"',
			'bash -c "sleep 0.2; echo background" & echo front; wait'
		].join('\n')
	);
	expect(stdout.split('\n')).toEqual([
		'two one',
		'out',
		'err',
		'<sub> 3',
		'got 1',
		'got 2',
		'got 3',
		'failed with 9',
		'front',
		'background',
		''
	]);
});

it('runs a command by where it seems to lie, as `which` tells it', async () => {
	const { stdout, stderr } = await sandbox.exec(
		'/usr/bin/word echo a; $(which word) echo b; /bin/echo c; (exec /usr/bin/word echo d)',
		HANGS
	);
	expect([stdout, stderr]).toEqual([expect.stringMatching(/a[^]*b[^]*c\n[^]*d/), '']);
});

it('says what to do instead of calling what no tab has', async () => {
	const { stderr, exitCode } = await sandbox.exec('sudo ls; nobody-knows-this', HANGS);
	expect([stderr, exitCode]).toEqual([
		expect.stringMatching(
			/^bash: line 1: sudo: command not found\nLeave it out: .+\nbash: line 1: nobody-knows-this: command not found\n$/
		),
		127
	]);
});

it('is stopped in a tight loop, with everything before in place', async () => {
	const stop = new AbortController();
	const result = await sandbox.exec('echo kept > kept.txt; echo begun; while true; do :; done', {
		...HANGS,
		signal: stop.signal,
		onOutput: () => stop.abort()
	});
	expect(result).toMatchObject({ stdout: 'begun\n', exitCode: 130, timedOut: false });
	expect(await sandbox.readFile('kept.txt')).toBe('kept\n');
});

/** Opens a terminal and collects its output, with a way to wait for text. */
async function terminal() {
	const opened = await sandbox.openTerminal({ columns: 80, rows: 24 });
	let shown = '';
	let wake = () => {};
	opened.onData((data) => {
		shown += data;
		wake();
	});
	const until = async (pattern: RegExp) => {
		const deadline = setTimeout(() => wake(), 40_000);
		const started = performance.now();
		while (!pattern.test(shown)) {
			await new Promise<void>((resolve) => (wake = resolve));
			if (performance.now() - started > 39_000) throw new Error(`${pattern} never came: ${JSON.stringify(shown)}`);
		}
		clearTimeout(deadline);
		const found = shown;
		shown = '';
		return found;
	};
	return { type: (text: string) => opened.write(text), until, opened };
}
const PROMPT = /❯\x1b\[0m [^❯]*$/;

it('keeps variables, functions and the directory in one interactive shell, through Ctrl-C', async () => {
	const { type, until, opened } = await terminal();
	await until(PROMPT);
	await type('mkdir -p deep && cd deep && x=5 && f() { echo "f$x"; }\r');
	await until(/deep.*❯/s);
	await type('while true; do :; done\r');
	await until(/2004l$/);
	await type('\x03');
	await until(PROMPT);
	await type('echo "status $?"; f; pwd\r');
	const shown = await until(/deep\r?\n[^]*❯/);
	expect(shown).toContain('status 130');
	expect(shown).toContain('f5');
	await type('sleep 20\r');
	await until(/2004l$/);
	await type('\x03');
	await until(PROMPT);
	// Immediately, often before the program has started: the signal must not be lost.
	for (let time = 0; time < 5; time++) {
		await type('bash -c "sleep 20"\r');
		await until(/2004l$/);
		await type('\x03');
		await until(PROMPT);
	}
	await type('exit 4\r');
	await until(/exit/);
	await opened.close();
});

it('lets a fork bomb meet a limit, lives on beside it, and ends it at Ctrl-C', async () => {
	const { type, until, opened } = await terminal();
	await until(PROMPT);
	// Several times: Ctrl-C arrives while the command runs, at the prompt, or in between.
	for (let time = 0; time < 8; time++) {
		await type(':(){ :|:& };:\r');
		await until(/fork: retry: Resource temporarily unavailable/);
		await type('echo alive-$((6 * 7))\r');
		await until(/alive-42/);
		await type('\x03');
		await until(PROMPT);
		// As many subshells at once as are allowed: none of the bomb's are left.
		await type('true' + ' | true'.repeat(250) + '; echo room-$?\r');
		expect(await until(/room-\d[^]*❯\x1b\[0m [^❯]*$/)).not.toContain('fork:');
	}
	await opened.close();
});

it('edits lines: arrows, history, completion, continuation, paste', async () => {
	const { type, until, opened } = await terminal();
	await until(PROMPT);
	await type('echo ac\x1b[Db\r');
	await until(/2004labc\r?\n[^]*❯/);
	await type('\x1b[A\x1b[A\x1b[B\r');
	await until(/2004labc\r?\n[^]*❯/);
	await sandbox.writeFile('/workspace/verylongname.txt', 'found it\n');
	await type('cd /workspace; cat veryl\t\r');
	await until(/found it\r?\n[^]*❯/);
	await type('for i in 1 2\rdo echo "n$i"\rdone\r');
	await until(/n1\r?\nn2\r?\n[^]*❯/);
	await type('\x1b[200~echo pasted 日本\x1b[201~\r');
	await until(/2004lpasted 日本\r?\n[^]*❯/);
	await type('\x12pasted\r');
	await until(/2004lpasted 日本\r?\n[^]*❯/);
	await type('\x04');
	await until(/exit/);
	await opened.close();
});

it('gives a process its descriptors above the standard streams', async () => {
	const { stdout } = await sandbox.exec(
		[
			'printf "#!/bin/sh\\nfor fd do printf \\"\\$fd: \\"; cat <&\\"\\$fd\\"; done\\n" > show; chmod +x show',
			'echo from file > file; ./show 0 3 8 <<A 3<<B 8<file',
			'zero',
			'A',
			'three',
			'B',
			'bash -c "echo to four >&4; bash -c \\"echo again >&4\\"" 4> out; cat out',
			'exec 5>&1; echo $(bash -c "echo inner; echo outer >&5")',
			'x=$(bash -c "echo kept >&6" 6>&1); echo $x'
		].join('\n')
	);
	expect(stdout).toBe('0: zero\n3: three\n8: from file\nto four\nagain\nouter\ninner\nkept\n');
});

it('leaves a job of a script alone on SIGINT, and runs its traps before the end', async () => {
	const { stdout } = await sandbox.exec(
		[
			'bash -c "trap \'echo caught\' USR1; touch ready; sleep 0.3" & until [ -e ready ]; do sleep 0.01; done',
			'kill -USR1 $!; wait; echo $?',
			'bash -c "trap \'echo bye\' EXIT; touch set; sleep 0.3" & until [ -e set ]; do sleep 0.01; done',
			'kill -INT $!; wait $!; echo $?',
			"exec -a named sh -c 'echo $0'"
		].join('\n')
	);
	expect(stdout).toBe('caught\n0\nbye\n0\nnamed\n');
});

it('ends the input of a program whose file cannot be read any more', async () => {
	const { exitCode, timedOut } = await sandbox.exec(
		'mkdir shut; echo x >shut/file; (exec <shut/file; chmod 0 shut; bash -c "cat >/dev/null"); chmod 755 shut',
		HANGS
	);
	expect([exitCode, timedOut]).toEqual([0, false]);
});

it('has no input for a program whose descriptor is open to write only', async () => {
	const { stdout, stderr } = await sandbox.exec(
		'bash -c "cat; echo \\$?" 3>w <&3; bash -c : 3>/dev/null <&3; echo $?',
		HANGS
	);
	expect(stdout).toBe('0\n0\n');
	expect(stderr).toBe('bash: line 1: standard input: Bad file descriptor\n'.repeat(2));
});

it('writes what exec has sent to a script of its own before the shell ends', async () => {
	await sandbox.writeFile(
		'/workspace/logged.sh',
		'exec > >(tee log) 2> >(sed s/^/error:/)\necho text\nbash -c "echo program; echo fault >&2"\n'
	);
	const { stdout, exitCode } = await sandbox.exec('bash logged.sh; echo $?; cat log', HANGS);
	expect(stdout.split('\n').sort()).toEqual(
		['text', 'program', 'error:fault', '0', 'text', 'program', 'error:fault', ''].sort()
	);
	expect(exitCode).toBe(0);
});

it('lets the last command of `bash -c` and `exec` take the place of the shell', async () => {
	const { stdout, stderr } = await sandbox.exec(
		[
			'bash -c "word pid" >own & wait $!; [ "$(cat own)" = $! ] && echo same',
			'for script in "word pid" "command word pid" "true; word pid" "false || A=1 word pid" "exec word pid" "exec word pid >&1" "env B=2 nice word pid"; do',
			'	bash -c "echo \\$\\$; $script" | uniq | wc -l',
			'done',
			'for script in "word pid >&1" "! word pid" "word pid &" "trap : EXIT; word pid" "{ word pid; }" "timeout 20 word pid" "f() { word pid; }; f"; do',
			'	bash -c "echo \\$\\$; $script" | uniq | wc -l',
			'done',
			'SHLVL=7 bash -c "word variable SHLVL"; SHLVL=7 bash -c "word variable SHLVL; :"',
			'bash -c "trap \'echo bye\' EXIT; exec word echo no trap"',
			"echo input | bash -c 'exec 3>third; exec word cat <<<here 4>&1 >&3'; cat third",
			"echo from pipe | bash -c 'word cat'; bash -c 'exec word cat <third >>copy'; cat copy"
		].join('\n'),
		HANGS
	);
	const [replaced, kept] = ['1\n'.repeat(7), '2\n'.repeat(7)];
	expect(stderr).toBe('');
	expect(stdout).toBe(`same\n${replaced}${kept}7\n8\nno trap\nhere\nfrom pipe\nhere\n`);
});

it('ends a program that took the place of its shell by the signal for the shell', async () => {
	const script = [
		'bash -c "word wait" &',
		'until [ -e waits ]; do sleep 0.01; done',
		'kill $!; wait $!; echo $?; ps | grep -c " word wait$"'
	].join('\n');
	await sandbox.writeFile('/workspace/ending.sh', script);
	expect((await sandbox.exec('bash ending.sh', HANGS)).stdout).toBe('143\n0\n');
});

it('connects programs to the scripts of process substitutions while they run', async () => {
	const lines = 'echo 1; until [ -e read1 ]; do sleep 0.01; done; echo 2';
	const { stdout, timedOut } = await sandbox.exec(
		[
			'bash -c "head -1 \\"\\$0\\"" <(yes); bash -c "read x <\\"\\$0\\"; cat \\"\\$0\\" \\"\\$0\\"" <(echo a; sleep 0.1; echo b)',
			`while read n; do word echo got $n; touch read$n; done < <(${lines})`,
			'bash -c "echo one >\\"\\$0\\"; echo two >>\\"\\$0\\"" >(cat >written); until grep -sq two written; do sleep 0.01; done; cat written',
			'word cat < <(bash -c "yes 2>/dev/null" | head -2); word cat 3< <(echo three) <&3',
			'bash -c "echo yes; head -1 <(yes last)"; ls -A /tmp | grep -c substitution'
		].join('\n'),
		HANGS
	);
	expect([stdout, timedOut]).toEqual(['y\nb\ngot 1\ngot 2\none\ntwo\ny\ny\nthree\nyes\nlast\n0\n', false]);
});

it('keeps a process substitution open for each process that opens it, until the command ends', async () => {
	const { stdout, timedOut } = await sandbox.exec(
		[
			'bash -c "for n in {1..200}; do echo \\$n >\\"\\$0\\"; done" >(cat >all); until grep -sq 200 all; do sleep 0.01; done; wc -l <all',
			'bash -c "for n in {1..100}; do read x <\\"\\$0\\"; echo \\$x; done" <(for n in {1..100}; do echo $n; sleep 0.002; done; until [ -e read ]; do sleep 0.01; done) | tail -1; touch read',
			'bash -c "yes >\\"\\$0\\"; echo \\$?; yes >>\\"\\$0\\"; echo \\$?" >(true)'
		].join('\n'),
		HANGS
	);
	expect([stdout, timedOut]).toEqual(['200\n100\n141\n141\n', false]);
});
