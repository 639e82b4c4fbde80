import { AfterMark } from './after-mark.ts';
import type { ExecProcess } from './exec-channel.ts';

const KIB = 1024;
/** Limit for error messages. */
const MAX_ERROR_BYTES = 64 * KIB;
/** Slowest transfer, in bytes per ms, that does not count as silence. */
const SLOWEST = 64;

/** Size and time limits for an answer: the other side may be hostile or dead. */
export interface AnswerLimits {
	bytes: number;
	/** Time without receiving a byte, in addition to the time needed to send the input. */
	silenceMs: number;
	/** Time for the whole answer. */
	totalMs: number;
}

export const ANSWER_LIMITS: AnswerLimits = { bytes: KIB * KIB, silenceMs: 120_000, totalMs: 900_000 };

export interface Answer {
	bytes: Buffer;
	stdout: string;
	stderr: string;
	code: number;
	/** Limit that the answer exceeded; its code is then not 0. */
	exceeded?: 'bytes' | 'time';
}

export interface CollectOptions {
	stdin?: string | Uint8Array;
	/** See {@link Prefix.beginning}. */
	beginning?: string;
	limits?: Partial<AnswerLimits>;
}

/**
 * Runs a program until it ends or exceeds a limit. Never rejects: a program that cannot be started has the exit code
 * 127.
 */
export async function collected(
	child: ExecProcess,
	{ stdin = '', beginning = '', limits: given = {} }: CollectOptions = {}
): Promise<Answer> {
	const limits = { ...ANSWER_LIMITS, ...given };
	const out: Buffer[] = [];
	const err: Buffer[] = [];
	let exceeded: Answer['exceeded'];
	const sizes = { out: 0, err: 0 };
	const code = await new Promise<number>((resolve) => {
		const end = (status: number): void => {
			watch.stop();
			resolve(status);
		};
		const giveUp = (limit: 'bytes' | 'time'): void => {
			exceeded ??= limit;
			child.kill('SIGKILL');
			end(255);
		};
		const watch = watchSilence(limits, stdin.length / SLOWEST, () => giveUp('time'));
		child.stdout.on('data', (chunk: Buffer) => {
			watch.heard();
			sizes.out += chunk.length;
			if (sizes.out > limits.bytes + beginning.length) giveUp('bytes');
			else out.push(chunk);
		});
		child.stderr.on('data', (chunk: Buffer) => {
			watch.heard();
			sizes.err += chunk.length;
			if (sizes.err <= MAX_ERROR_BYTES) err.push(chunk);
		});
		child.once('error', (error) => {
			err.push(Buffer.from(error.message));
			end(127);
		});
		child.once('close', (status) => end(status ?? 255));
		// A process that shares its connection with later calls keeps running and may keep stderr open.
		child.once('exit', (status) => child.stdout.once('end', () => end(status ?? 255)));
		child.stdin.end(stdin);
	});
	const bytes = behind(beginning, out);
	const stderr = behind(beginning, err).toString();
	// Decoded lazily: content may be large and is then read as bytes.
	const answer = {
		bytes,
		stderr,
		code,
		get stdout() {
			return bytes.toString();
		}
	};
	return exceeded === undefined ? answer : Object.assign(answer, { exceeded });
}

function watchSilence(
	{ silenceMs, totalMs }: AnswerLimits,
	transferMs: number,
	onSilence: () => void
): { heard(): void; stop(): void } {
	const total = setTimeout(onSilence, totalMs + transferMs);
	const silence = setTimeout(onSilence, silenceMs + transferMs);
	return {
		heard: () => void silence.refresh(),
		stop: () => {
			clearTimeout(total);
			clearTimeout(silence);
		}
	};
}

function behind(beginning: string, chunks: readonly Buffer[]): Buffer {
	const filter = new AfterMark(beginning);
	const found = filter.add(Buffer.concat(chunks));
	return found.length > 0 ? found : filter.rest();
}
