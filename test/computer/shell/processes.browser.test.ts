import { afterAll, beforeAll, expect, it } from 'vitest';
import nodeUrl from '#computer/node/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: ExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl }
	]);
});
afterAll(() => sandbox.cleanup());

/** Output of a script, including errors. No command here takes this long on any machine. */
async function printed(script: string): Promise<string> {
	await sandbox.writeFile('script', script);
	const { stdout, timedOut } = await sandbox.exec('bash script 2>&1', { timeoutMs: 50_000 });
	expect(timedOut).toBe(false);
	return stdout;
}

it('ends processes by each signal that Linux has, and spares them from those that end nothing', async () => {
	const ends = ['QUIT', 'ABRT', 'ALRM', 'SEGV', 'XCPU', 'SYS'];
	expect(await printed(ends.map((name) => `bash -c 'kill -${name} $$'; echo $?`).join('\n'))).toBe(
		'131\n134\n142\n139\n152\n159\n'
	);
	expect(await printed('for s in CHLD URG WINCH CONT; do kill -$s $$; done; echo alive')).toBe('alive\n');
	expect(await printed("trap 'echo alarm' ALRM; kill -14 $$; trap - ALRM; echo on")).toBe('alarm\non\n');
});

it('stops a process until it is continued', async () => {
	const stopped =
		"node -e 'setInterval(() => fs.appendFileSync(`ticks`, `.`), 5)' & until [ -s ticks ]; do sleep 0.01; done\n" +
		'kill -STOP $!; before=$(wc -c <ticks); sleep 0.2; [ $before = $(wc -c <ticks) ] && echo stopped\n' +
		'kill -CONT $!; until [ $(wc -c <ticks) -gt $before ]; do sleep 0.01; done; echo continued\n' +
		'kill -STOP $!; kill -KILL $!; wait $! 2>/dev/null; echo $?';
	expect(await printed(stopped)).toBe('stopped\ncontinued\n137\n');
});

it('has programs ignore the signals that their shell ignores, which scripts cannot change', async () => {
	const script =
		"trap '' TERM QUIT\n" +
		'bash -c \'trap "echo trapped" TERM; trap - QUIT; kill -TERM $$; kill -QUIT $$; trap -p; echo alive\'\n' +
		"node -e 'process.kill(process.pid, `SIGQUIT`); setTimeout(() => console.log(`node lives`), 50)'\n" +
		"(trap - TERM; bash -c 'kill -TERM $$'; echo $?)";
	expect(await printed(script)).toBe("trap -- '' SIGQUIT\ntrap -- '' SIGTERM\nalive\nnode lives\n143\n");
});

it('passes a signal that a subshell sends on to the shell, which has the trap', async () => {
	const script =
		"trap 'echo got it' USR1\n(kill -USR1 $$; echo sent; exit 19)\necho $?; fn() { return; }; trap 'fn; echo $?' USR2; (kill -USR2 $$; exit 4)\n:";
	expect(await printed(script)).toBe('sent\ngot it\n19\n4\n');
});

it('spares an interactive shell from the signals that end scripts, and reads no script without the right', async () => {
	const script =
		"printf 'kill -TERM $$; kill -QUIT $$\\ntrap - TERM; kill -TERM $$\\necho alive; kill -HUP $$; echo no\\n' | bash -i 2>/dev/null; echo $?\n" +
		'echo echo no >f; chmod 000 f; bash f; echo $?; . ./f; echo $?';
	expect(await printed(script)).toBe(
		'alive\n129\nbash: f: Permission denied\n126\nscript: line 2: ./f: Permission denied\n1\n'
	);
});

it('goes on behind a command that SIGINT has ended alone', async () => {
	expect(await printed("bash -c 'kill -INT $$'; echo $?")).toBe('130\n');
});

it('starts programs with the umask of their parents', async () => {
	const script =
		'umask 077; bash -c "umask; mkdir made"; stat -c %A made\n' +
		"node -e 'console.log(process.umask().toString(8)); fs.writeFileSync(`file`, ``); process.umask(0o27); child_process.execSync(`umask`, { stdio: `inherit` })'; stat -c %A file";
	expect(await printed(script)).toBe('0077\ndrwx------\n77\n0027\n-rw-------\n');
});

it('knows the parents of processes', async () => {
	const script =
		'bash -c \'echo $PPID; node -p process.ppid; echo $$\' | { read parent; read other; read own; [ $other = $own ] && echo same; }; [ "$(bash -c "echo \\$PPID")" = $$ ] && echo own';
	expect(await printed(script)).toBe('same\nown\n');
});

it('starts as a shell of POSIX by the name sh, also through a link', async () => {
	const script =
		'ln -s /bin/bash sh; ln -s /usr/bin/bash other\n' +
		"for shell in ./sh sh ./other; do $shell -c 'echo $0 $POSIXLY_CORRECT'; done; ./other -c 'set -o | grep -c \"posix.*off\"'; echo 'eval fi; echo no' | ./sh 2>/dev/null; echo $?";
	expect(await printed(script)).toBe('./sh y\nsh y\n./other\n1\n2\n');
});

it('ends a script on its input at an error of syntax, and is not interactive by +i', async () => {
	const script =
		"printf 'fi\\necho no\\n' | bash 2>/dev/null; echo $?; printf '(exit 3)\\n\\n# comment\\n' | bash +i; echo $?; printf 'echo $-\\n' | bash +i -u";
	expect(await printed(script)).toBe('2\n3\nhuBs\n');
});

it('leaves what a shell has not read of its input to the next program, as a file and as a pipe', async () => {
	const script = [
		'printf \'bash -c "read -r l; echo got \\\\$l"\\nfirst line\\necho second\\nread -r l; bash -c "read -r m; echo \\\\$m"\\n1\\n2\\necho end\\n\' >input',
		'bash <input; cat input | bash',
		"printf 'a\\nb\\nc\\nd\\n' | { bash -c 'read x; echo $x'; read y; echo $y; bash -c 'read z; echo $z'; cat; }"
	].join('\n');
	expect(await printed(script)).toBe(`${'got first line\nsecond\n2\nend\n'.repeat(2)}a\nb\nc\nd\n`);
});

it('lists processes as ps of procps does', async () => {
	const script = [
		"node -e 'setInterval(() => {}, 1000)' & until ps -p $! -o args= | grep -q '^node -e'; do sleep 0.01; done",
		'[ $(ps --no-headers -o pid --ppid $$ -C nothing) = $! ] && echo child; [ $(ps -o ppid= $!) = $$ ] && echo parent',
		'ps -p $!,$$ --sort=-pid -o comm=; ps -o comm,s -C node; kill -STOP $!; ps -o stat= -p $!; kill -KILL $!',
		'ps -ef | head -1; ps aux | head -1; ps -aux | head -1; ps -l | head -1; ps -p 99999 -o pid=PROC,args=NAME; echo $?',
		'ps -o pid,nope >/dev/null 2>&1; echo $?; ps -o lstart= -p $$ | wc -w'
	].join('\n');
	const users = 'USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND';
	expect((await printed(script)).split('\n')).toEqual([
		...['child', 'parent', 'node', 'bash', 'COMMAND         S', 'node            S', 'T'],
		'UID          PID    PPID  C STIME TTY          TIME CMD',
		...[users, users],
		'F S   UID     PID    PPID  C PRI  NI ADDR    SZ WCHAN  TTY          TIME CMD',
		...['   PROC NAME', '1', '1', '5', '']
	]);
});
