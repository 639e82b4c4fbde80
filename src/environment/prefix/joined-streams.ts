import { Duplex } from 'node:stream';
import { EnvironmentError } from '../errors.ts';
import { AfterMark } from './after-mark.ts';
import type { ExecProcess } from './exec-channel.ts';

/**
 * Streams of a program that carries bytes over there, as one, without the mark that its output begins with.
 *
 * @param explain error for an exit code of the carrier; `undefined` where the connection has ended as connections do
 */
export function joinedStreams(
	child: ExecProcess,
	beginning: string,
	explain: (code: number | null) => EnvironmentError | undefined = () => undefined
): Duplex {
	const own = new AfterMark(beginning);
	const duplex = new Duplex({
		allowHalfOpen: true,
		read: () => void child.stdout.resume(),
		write: (chunk: Buffer, _encoding, done) => {
			if (child.stdin.writable) child.stdin.write(chunk, (error) => done(error));
			else done(new EnvironmentError('EPIPE', 'The connection is closed.'));
		},
		final: (done) => void child.stdin.end(() => done()),
		destroy: (error, done) => {
			// What carries the bytes over there ends with its input.
			child.stdin.end();
			child.kill('SIGKILL');
			done(error);
		}
	});
	child.stdout.on('data', (bytes: Buffer) => {
		const behind = own.add(bytes);
		if (behind.length > 0 && !duplex.push(behind)) child.stdout.pause();
	});
	child.stderr.resume();
	child.once('error', (error) => duplex.destroy(error));
	child.once('close', (code) => {
		const error = explain(code);
		if (error) duplex.destroy(error);
		else duplex.push(null);
	});
	return duplex;
}
