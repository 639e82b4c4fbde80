import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Terminal } from '#environment/contract.ts';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';

describe('a terminal in the sandbox', () => {
	let sandbox: WasmExecutionEnvironment;
	let terminal: Terminal;
	let screen = '';
	beforeEach(async () => {
		sandbox = createWasmEnvironment();
		terminal = await sandbox.openTerminal({ columns: 80, rows: 24 });
		screen = '';
		terminal.onData((data) => (screen += data));
	});
	afterEach(() => sandbox.cleanup());
	const shows = (text: string) => expect.poll(() => screen, { timeout: 15_000 }).toContain(text);

	it('stops what runs at Ctrl-C, a loop that never yields too, and the shell lives on', async () => {
		terminal.write(`node -e 'require("fs").writeFileSync("before", "kept"); console.log("up" + 1); for (;;);'\r`);
		await shows('up1');
		terminal.write('\x03');
		terminal.write('echo status-$?\r');
		await shows('status-130');
		expect(await sandbox.readFile('before')).toBe('kept');
	});

	it('hands typed lines to a program that reads them, until Ctrl-D', async () => {
		await shows('❯');
		terminal.write('cat; echo code-$?\r');
		await shows('\x1b[?2004l');
		terminal.write('tipped\x7f\x7f\x7f\x7f\x7fyped\r');
		await shows('\r\ntyped\r\n');
		terminal.write('\x04');
		await shows('code-0');
	});

	/** Final text on the screen, without cursor movements and clearing. */
	const plain = (text: string) => text.replace(/\x1b\[[\d;?]*[GJKhl]/g, '').replace(/\r+\n/g, '\n');

	it('runs statements typed to node, and keeps what they declare', async () => {
		await shows('❯');
		terminal.write('node\r');
		await expect.poll(() => plain(screen), { timeout: 15_000 }).toMatch(/information\.\n> $/);
		const answers = async (typed: string, answer: string) => {
			const before = screen.length;
			terminal.write(`${typed}\r`);
			const wanted = `${typed}\n${answer}`;
			await expect
				.poll(() => plain(screen.slice(before)), { timeout: 15_000 })
				.toSatisfy((text: string) => {
					const [first, ...rest] = text.split(wanted);
					return first === '' && /(^|\n)(> |\.\.\. )$/.test(rest.join(wanted));
				});
		};
		const nothing = '\x1b[90mundefined\x1b[39m';
		await answers('const a = 20', nothing);
		await answers('a + 22', '\x1b[33m42\x1b[39m');
		await answers('{ b: a }', '{ b: \x1b[33m20\x1b[39m }');
		await answers('_.b + 1', '\x1b[33m21\x1b[39m');
		await answers('function twice(x) {', '');
		await answers('  return 2 * x }', nothing);
		await answers('twice(a) + 3', '\x1b[33m43\x1b[39m');
		await answers('let c = await Promise.resolve(44)', nothing);
		await answers('path.join("x", String(c))', "\x1b[32m'x/44'\x1b[39m");
		await answers('nobody', 'Uncaught ReferenceError: nobody is not defined');
		await answers('a +* 1', 'a +* 1\n   ^\n\nUncaught SyntaxError: Unexpected token');
		terminal.write('\x1b[A\x1b[A\x1b[Anot\x03');
		await expect.poll(() => plain(screen)).toMatch(/path\.join\("x", String\(c\)\)not\n> $/);
		terminal.write('await new Promise(() => {})\r\x03');
		await expect.poll(() => plain(screen)).toMatch(/interrupted by `SIGINT`\] \{\n.*\n\}\n> $/);
		terminal.write('\x03');
		await expect.poll(() => plain(screen)).toMatch(/press Ctrl\+C again or Ctrl\+D or type \.exit\)\n> $/);
		terminal.write('\x03');
		terminal.write('echo left-$?; tail -1 ~/.node_repl_history\r');
		await expect.poll(() => plain(screen)).toMatch(/left-0\nconst a = 20/);
	});

	it('gives a program each key, tells it of another size, and has lines and echo again when it is killed', async () => {
		await sandbox.writeFile(
			'keys.js',
			`require('readline').emitKeypressEvents(process.stdin);
			process.stdin.setRawMode(true).on('keypress', (text, { name, ctrl }) => console.log('key', ctrl ? 'ctrl' : '', name));
			process.stdout.on('resize', () => console.log(\`size \${process.stdout.getWindowSize()}\`));
			console.log(String(process.stdin instanceof require('tty').ReadStream), 'ready');`
		);
		terminal.write('node keys.js\r');
		await shows('true ready');
		terminal.write('x\x1b[B\x03');
		await shows('key  x\r\nkey  down\r\nkey ctrl c');
		terminal.resize({ columns: 60, rows: 20 });
		await shows('size 60,20');
		await sandbox.exec('pkill -9 -f keys.js');
		await expect.poll(() => screen).toMatch(/❯[^❯]*$/);
		terminal.write('echo k$((1))o; cat\r');
		await shows('k1o');
		terminal.write('echoed\r');
		await shows('echoed\r\nechoed\r\n');
		terminal.write('\x03');
	});

	it('reads a secret without showing it, and a single key; stty changes what stays changed', async () => {
		await shows('❯');
		// Each prompt differs from what is typed, to distinguish the prompt from the echo of the line.
		terminal.write(
			'read -s -p "pass$((1))? " p; echo "[$p]"; read -n1 -p "sure$((1))? " k; echo "<$k>"; stty -echo; stty -a\r'
		);
		await shows('pass1? ');
		terminal.write('secret\r');
		await shows('[secret]');
		expect(screen.split('[secret]')[0]).not.toContain('secret');
		await shows('sure1? ');
		terminal.write('y');
		await shows('y<y>');
		await shows('-echo');
		terminal.write('echo g$((1))o; cat\r');
		await shows('g1o');
		terminal.write('unseen\r');
		await shows('unseen\r\n');
		expect(screen.split('unseen')).toHaveLength(2);
		terminal.write('\x04');
		terminal.write('stty sane; stty | grep -c echo\r');
		await shows('\x1b[?2004l0\r\n');
	});

	it('gives the shell what was typed while a program ran that did not read it', async () => {
		await shows('❯');
		terminal.write('echo begun-$((1)); until [ -e go ]; do sleep 0.01; done\r');
		await shows('begun-1');
		terminal.write('echo ahead-$((40');
		await shows('ahead-$((40');
		const before = screen.length;
		await sandbox.writeFile('go', '');
		await expect.poll(() => screen.slice(before), { timeout: 15_000 }).toContain('❯');
		terminal.write(' + 2))\r');
		await shows('ahead-42');
	});

	it('reads no start file', async () => {
		const names = ['.bashrc', '.bash_profile', '.bash_login', '.profile', '.shrc', '.inputrc'];
		for (const name of names) await sandbox.writeFile(`~/${name}`, `echo sourced; touch /workspace/ran\n`);
		await sandbox.writeFile('/workspace/.bashrc', 'echo sourced; touch /workspace/ran\n');
		const second = await sandbox.openTerminal({ columns: 80, rows: 24 });
		let shown = '';
		second.onData((data) => (shown += data));
		second.write(
			'bash -c "echo in-$((1 + 1))"; bash -lc "echo login-$((1 + 1))"; BASH_ENV=~/.bashrc ENV=~/.bashrc sh -c "echo sh-$((1 + 1))"\r'
		);
		await expect.poll(() => shown, { timeout: 15_000 }).toContain('sh-2');
		expect(shown).toContain('in-2');
		expect(shown).toContain('login-2');
		expect(shown).not.toContain('sourced');
		expect(await sandbox.fileExists('ran')).toBe(false);
		second.write('. ~/.bashrc\r');
		await expect.poll(() => shown, { timeout: 15_000 }).toContain('sourced');
	});

	it('ends with the shell, and tells its code', async () => {
		terminal.write('exit 7\r');
		expect(await terminal.exited).toBe(7);
		terminal.write('nobody reads this\r');
		terminal.resize({ columns: 10, rows: 10 });
	});

	it('keeps what was shown before anybody looked', async () => {
		const early = await sandbox.openTerminal({ columns: 80, rows: 24 });
		early.write('echo earl$((1))y; exit\r');
		await early.exited;
		let seen = '';
		early.onData((data) => (seen += data));
		expect(seen).toContain('earl1y');
	});
});
