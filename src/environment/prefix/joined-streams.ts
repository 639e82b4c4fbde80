import { Duplex } from 'node:stream';
import { EnvironmentError } from '../errors.ts';
import { AfterMark } from './after-mark.ts';
import type { ExecProcess } from './exec-channel.ts';

/**
 * Joins the streams of a program that forwards bytes on the other side into one, without the mark at the start of its
 * output.
 *
 * @param explain returns the error for an exit code of that program; `undefined` if the connection ended normally
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
			// The remote program ends when its input does.
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
