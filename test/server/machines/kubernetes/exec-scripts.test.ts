import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LAST_PIECE, piece, startedByInput } from '#server/machines/kubernetes/exec-scripts.ts';
import type { ExecProtocol } from '#server/machines/kubernetes/exec-socket.ts';
import { inTime } from '#test/in-time.ts';

const PROTOCOLS: readonly ExecProtocol[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** Runs commands like a pod: the words of a program, which reads its input. */
function start(words: readonly string[], protocol: ExecProtocol) {
	const { argv, input } = startedByInput(words, protocol);
	const [program = '', ...args] = argv;
	const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
	onTestFinished(() => void child.kill('SIGKILL'));
	child.stdin.on('error', () => undefined); // a program need not read it
	child.stdin.write(input);
	const ended = async () => {
		const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
		return { output, code };
	};
	return { argv, stdin: child.stdin, ended: inTime(ended(), 'the end of the program') };
}

describe.each(PROTOCOLS)('a program that is started over %s', (protocol) => {
	it('has its words, whatever is in them, and its code', async () => {
		const words = ['printf', '%s|', 'a b', "it's", '$HOME `id` "x"', 'two\nlines', '', 'é'];
		const { stdin, ended } = start(words, protocol);
		stdin.end(protocol === 'v4.channel.k8s.io' ? LAST_PIECE : undefined);
		expect(await ended).toEqual({ output: words.slice(2).join('|') + '|', code: 0 });
	});

	it('reads its own input to the end, and nothing that comes before it', async () => {
		const { stdin, ended } = start(['sh', '-c', 'cat; exit 3'], protocol);
		const parts = ['some ', 'bytes\n0\n', 'é'.repeat(40_000)];
		for (const part of parts)
			stdin.write(protocol === 'v4.channel.k8s.io' ? piece(Buffer.from(part)) : Buffer.from(part));
		// The older protocol cannot signal the end of the input: the connection stays open.
		if (protocol === 'v4.channel.k8s.io') stdin.write(LAST_PIECE);
		else stdin.end();
		expect(await ended).toEqual({ output: parts.join(''), code: 3 });
	});

	it('ends without the end of its input', async () => {
		const { ended } = start(['sh', '-c', 'echo done; exit 4'], protocol);
		expect(await ended).toEqual({ output: 'done\n', code: 4 });
	});

	it('has no word of its own in the address of the call', () => {
		const { argv } = startedByInput(['echo', 'secret-word'], protocol);
		expect(argv.join(' ')).not.toContain('secret-word');
	});
});
