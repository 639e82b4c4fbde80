import { concat } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { eachInput } from '../input/each-input.ts';
import { utility } from '../options.ts';
import { modern, SPECIFICATION, amountOf, headers, type Amount, startOfLast } from './amount.ts';

/** `tail`, with `-f` until it is stopped. */
export const tail = modern(
	/^([-+])(\d+)([bcl]?f?)$/,
	utility(`${SPECIFICATION} f|follow=? F s|sleep-interval= pid= retry`, async (call, options) => {
		const amount = amountOf(options);
		// Not even opened: GNU's tail names no file and complains of none.
		if (amount.count === 0 && amount.sign !== '+' && !options.has('f', 'F')) return 0;
		const header = headers(call, options);
		const status = await eachInput(call, options.operands, async (file, name) => {
			await header(name);
			if (amount.sign === '+') return skipThenCopy(call, file, amount);
			await copyLast(call, file, amount);
		});
		if (options.has('f', 'F')) await follow(call, options.operands);
		return status;
	})
);

/** Bytes read before older ones are dropped. */
const WINDOW = 1_048_576;

async function copyLast(call: Call, file: OpenFile, amount: Amount): Promise<void> {
	let pieces: Uint8Array[] = [];
	let kept = 0;
	let size = 0;
	for (;;) {
		const piece = await call.shell.control.race(file.read(65536));
		if (piece.length === 0) break;
		pieces.push(piece.slice());
		size += piece.length;
		// As much as is retained: the request may be far larger than the window.
		if (size < Math.max(WINDOW, kept)) continue;
		const whole = concat(pieces);
		pieces = [whole.slice(startOfLast(whole, amount))];
		kept = pieces[0]?.length ?? 0;
		size = 0;
	}
	const whole = concat(pieces);
	await call.shell.descriptors.require(1).write(whole.subarray(startOfLast(whole, amount)));
}

async function skipThenCopy(call: Call, file: OpenFile, amount: Amount): Promise<void> {
	const { bytewise, delimiter } = amount;
	const sink = call.shell.descriptors.require(1);
	let left = Math.max(0, amount.count - 1);
	for (;;) {
		let piece = await call.shell.control.race(file.read(65536));
		if (piece.length === 0) return;
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

const FOLLOW_MS = 200;

/** Shows what is added to files, until the command is stopped. */
async function follow(call: Call, names: readonly string[]): Promise<void> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const sink = shell.descriptors.require(1);
	const sizes = new Map(names.map((name) => [name, sync.statOrNull(shell.path(name))?.size ?? 0]));
	for (;;) {
		await shell.control.race(new Promise((resolve) => setTimeout(resolve, FOLLOW_MS)));
		for (const [name, before] of sizes) {
			const size = sync.statOrNull(shell.path(name))?.size ?? 0;
			const from = size < before ? 0 : before;
			if (size > from) await sink.write(sync.readFile(shell.path(name), from, size - from));
			sizes.set(name, size);
		}
	}
}
