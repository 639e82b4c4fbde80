import { concat } from '../../streams/text.ts';
import type { BuiltIn, Call } from '../../state/host.ts';
import type { OpenFile } from '../../streams/open-file.ts';
import { eachInput } from '../streams.ts';
import { type Options, UsageError, utility } from '../options.ts';

const SUFFIXES: Record<string, number> = { b: 512, k: 1024, K: 1024, KB: 1000, kB: 1000, M: 1_048_576, MB: 1_000_000, G: 1_073_741_824 }; // prettier-ignore

/** `5`, `-2`, `+3`, `1K`. */
function amount(text: string, what: string): { sign: string; count: number } {
	const match = /^([-+]?)(\d+)(\w*)$/.exec(text);
	const unit = match?.[3] ? SUFFIXES[match[3]] : 1;
	if (!match || unit === undefined) throw new UsageError(`invalid number of ${what}: '${text}'`);
	return { sign: match[1] ?? '', count: Number(match[2]) * unit };
}

/** `-5` and `+5` are old ways to write `-n 5` and `-n +5`. */
const modern = (run: BuiltIn): BuiltIn => (call) =>
	run({ ...call, args: call.args.map((arg, index) => (/^-\d+$/.test(arg) && !/^-[nc]$/.test(call.args[index - 1] ?? '') ? `-n${arg.slice(1)}` : arg)) }); // prettier-ignore

const SPECIFICATION = 'n|lines= c|bytes= q|quiet|silent v|verbose z|zero-terminated';

function headers(call: Call, options: Options) {
	const shown = options.has('v') || (options.operands.length > 1 && !options.has('q'));
	let first = true;
	return async (name: string) => {
		if (shown) await call.out(`${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
		first = false;
	};
}

/** The part of a text of bytes before its last `count` lines, or from there on. */
function lastLines(bytes: Uint8Array, count: number): number {
	if (count === 0) return bytes.length;
	let at = bytes.length;
	if (bytes[at - 1] === 10) at--;
	for (let left = count; left > 0; left--) {
		at = bytes.lastIndexOf(10, at - 1);
		if (at < 0) return 0;
	}
	return at + 1;
}

/** `head`: stops reading as soon as it has enough, so that endless producers end. */
export const head = modern(
	utility(SPECIFICATION, async (call, options) => {
		const bytewise = options.last('n', 'c') === 'c';
		const { sign, count } = amount(options.get(bytewise ? 'c' : 'n') ?? '10', bytewise ? 'bytes' : 'lines');
		const header = headers(call, options);
		const sink = call.shell.descriptors.require(1);
		return eachInput(call, options.operands, async (file, name) => {
			await header(name);
			if (sign === '-') {
				const bytes = await call.shell.control.race(file.readAll());
				await sink.write(bytes.subarray(0, bytewise ? Math.max(0, bytes.length - count) : lastLines(bytes, count)));
				return;
			}
			let left = count;
			while (left > 0) {
				const piece = await call.shell.control.race(file.read(bytewise ? Math.min(left, 65536) : 65536));
				if (piece.length === 0) return;
				let end = piece.length;
				if (bytewise) left -= piece.length;
				else {
					let at = -1;
					do at = piece.indexOf(10, at + 1);
					while (at >= 0 && --left > 0);
					if (left === 0) end = at + 1;
				}
				await sink.write(piece.subarray(0, end));
				file.unread(piece.subarray(end));
			}
		});
	})
);

/** `tail`, with `-f` until it is stopped. */
export const tail = modern(
	utility(`${SPECIFICATION} f|follow=? F s|sleep-interval= pid= retry`, async (call, options) => {
		const bytewise = options.last('n', 'c') === 'c';
		const { sign, count } = amount(options.get(bytewise ? 'c' : 'n') ?? '10', bytewise ? 'bytes' : 'lines');
		const header = headers(call, options);
		const sink = call.shell.descriptors.require(1);
		const status = await eachInput(call, options.operands, async (file, name) => {
			await header(name);
			if (sign === '+') return skipThenCopy(call, file, Math.max(0, count - 1), bytewise);
			let pieces: Uint8Array[] = [];
			let size = 0;
			for (;;) {
				const piece = await call.shell.control.race(file.read(65536));
				if (piece.length === 0) break;
				pieces.push(piece.slice());
				size += piece.length;
				if (size < 1_048_576 || pieces.length < 2) continue;
				// Only the end matters: what is certainly too far back is let go.
				const whole = concat(pieces);
				const kept = whole.slice(bytewise ? Math.max(0, whole.length - count) : lastLines(whole, count));
				pieces = [kept];
				size = 0;
			}
			const whole = concat(pieces);
			await sink.write(whole.subarray(bytewise ? Math.max(0, whole.length - count) : lastLines(whole, count)));
		});
		if (options.has('f', 'F')) await follow(call, options.operands);
		return status;
	})
);

async function skipThenCopy(call: Call, file: OpenFile, count: number, bytewise: boolean): Promise<void> {
	const sink = call.shell.descriptors.require(1);
	let left = count;
	for (;;) {
		let piece = await call.shell.control.race(file.read(65536));
		if (piece.length === 0) return;
		if (bytewise && left > 0) {
			const skipped = Math.min(left, piece.length);
			left -= skipped;
			piece = piece.subarray(skipped);
		}
		while (!bytewise && left > 0 && piece.length) {
			const at = piece.indexOf(10);
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
