import { concat } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { eachInput } from '../input/each-input.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { secondsOf } from '../system/duration.ts';
import { Follower, type FollowManner } from './follow.ts';
import { modern, SPECIFICATION, amountOf, headers, type Amount, startOfLast } from './amount.ts';

const NO_INPUT = 'Bad file descriptor';
const OPTIONS = `${SPECIFICATION} f|follow=? F s|sleep-interval= pid= retry max-unchanged-stats= -disable-inotify -presume-input-pipe`;

/** `tail`, with `-f` until it is stopped. */
export const tail = modern(
	/^([-+])(\d+)([bcl]?f?)$/,
	utility(OPTIONS, async (call, options) => {
		const amount = amountOf(options);
		const manner = mannerOf(options);
		await warn(call, options, manner);
		// The files are not even opened, so errors are not reported, as in GNU tail.
		if (amount.count === 0 && amount.sign !== '+' && !manner) return 0;
		const names = options.operands.length > 0 ? options.operands : ['-'];
		const header = headers(call, options);
		const follower = manner && new Follower(call, manner, header);
		if (manner?.byName && names.includes('-')) throw new UsageError("cannot follow '-' by name", false);
		let status = 0;
		for (const name of names) {
			if (name === '-' && !call.shell.descriptors.get(0)) {
				await call.complain(`cannot fstat 'standard input': ${NO_INPUT}`);
				if (manner) await call.complain(`error reading 'standard input': ${NO_INPUT}`);
				await follower?.addFailed(name);
				status = 1;
				continue;
			}
			let read: number | null = null;
			const copy = async (file: OpenFile) => {
				read = await (amount.sign === '+' ? skipThenCopy(call, file, amount) : copyLast(call, file, amount));
				if (read !== null) follower?.add(name, read, name === '-' ? file : null);
			};
			status = (await eachInput(call, [name], copy, header)) || status;
			if (read === null) await follower?.addFailed(name);
		}
		if (follower) status = await follower.run(status);
		if (names.includes('-') && !call.shell.descriptors.get(0)) await call.complain(`-: ${NO_INPUT}`);
		return status;
	})
);

/** Options for following; null without `-f`. @throws UsageError */
function mannerOf(options: Options): FollowManner | null {
	const given = options.last('f', 'F');
	const word = options.get('f') || 'descriptor';
	const [how] = ['descriptor', 'name'].filter((one) => one.startsWith(word));
	if (how === undefined)
		throw new UsageError(
			`invalid argument '${word}' for '--follow'\nValid arguments are:\n  - 'descriptor'\n  - 'name'`,
			true
		);
	const seconds = secondsOf(options.get('s') ?? '1');
	if (seconds === null || /[smhd]$/.test(options.get('s') ?? ''))
		throw new UsageError(`invalid number of seconds: '${options.get('s')}'`);
	const stats = options.get('max-unchanged-stats') ?? '5';
	if (!/^\d+$/.test(stats)) throw new UsageError(`invalid maximum number of unchanged stats between opens: '${stats}'`);
	const pids = options.all('pid').map((text) => {
		if (!/^\d+$/.test(text)) throw new UsageError(`invalid PID: '${text}'`);
		return Number(text);
	});
	if (given === undefined) return null;
	const isForever = given === 'F';
	return {
		byName: isForever || how === 'name',
		retries: isForever || options.has('retry'),
		pids,
		waitMs: seconds * 1000
	};
}

async function warn(call: Call, options: Options, manner: FollowManner | null): Promise<void> {
	if (options.has('retry') && !manner)
		await call.complain('warning: --retry ignored; --retry is useful only when following');
	else if (options.has('retry') && !manner?.byName)
		await call.complain('warning: --retry only effective for the initial open');
	if (options.has('pid') && !manner)
		await call.complain('warning: PID ignored; --pid=PID is useful only when following');
}

/** Number of bytes to read before older ones are dropped. */
const WINDOW = 1_048_576;

/** Writes the end of a file. Returns the file's size. */
async function copyLast(call: Call, file: OpenFile, amount: Amount): Promise<number> {
	let pieces: Uint8Array[] = [];
	let kept = 0;
	let [size, total] = [0, 0];
	for (;;) {
		const piece = await call.shell.control.race(file.read(65536));
		if (piece.length === 0) break;
		pieces.push(piece.slice());
		size += piece.length;
		total += piece.length;
		// Waits for as much as is retained: the request may be far larger than the window.
		if (size < Math.max(WINDOW, kept)) continue;
		const whole = concat(pieces);
		pieces = [whole.slice(startOfLast(whole, amount))];
		kept = pieces[0]?.length ?? 0;
		size = 0;
	}
	const whole = concat(pieces);
	await call.shell.descriptors.require(1).write(whole.subarray(startOfLast(whole, amount)));
	return total;
}

/** Writes a file from an offset or line on. Returns the file's size. */
async function skipThenCopy(call: Call, file: OpenFile, amount: Amount): Promise<number> {
	const { bytewise, delimiter } = amount;
	const sink = call.shell.descriptors.require(1);
	let left = Math.max(0, amount.count - 1);
	let total = 0;
	for (;;) {
		let piece = await call.shell.control.race(file.read(65536));
		if (piece.length === 0) return total;
		total += piece.length;
		if (bytewise && left > 0) {
			const skipped = Math.min(left, piece.length);
			left -= skipped;
			piece = piece.subarray(skipped);
		}
		while (!bytewise && left > 0 && piece.length) {
			const at = piece.indexOf(delimiter);
			piece = at < 0 ? piece.subarray(piece.length) : piece.subarray(at + 1);
			if (at >= 0) left--;
		}
		if (piece.length) await sink.write(piece);
	}
}
