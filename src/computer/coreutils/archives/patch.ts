import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { decode, encode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError, utility } from '../options.ts';

interface Hunk {
	oldStart: number;
	newStart: number;
	/** Each begins with ` `, `-` or `+`. */
	lines: string[];
	header: string;
}

interface FilePatch {
	from: string;
	to: string;
	hunks: Hunk[];
}

/** Parses unified diffs; text between them is skipped. */
function parsePatch(text: string): FilePatch[] {
	const patches: FilePatch[] = [];
	const lines = text.split('\n');
	let current: FilePatch | undefined;
	for (let index = 0; index < lines.length; index++) {
		const line = lines[index] ?? '';
		if (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ')) {
			const name = (header: string) => header.slice(4).split('\t')[0]?.trim() ?? '';
			current = { from: name(line), to: name(lines[index + 1] ?? ''), hunks: [] };
			patches.push(current);
			index++;
			continue;
		}
		const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
		if (!match) continue;
		if (!current) patches.push((current = { from: '', to: '', hunks: [] }));
		let [oldLeft, newLeft] = [Number(match[2] ?? 1), Number(match[4] ?? 1)];
		const hunk: Hunk = { oldStart: Number(match[1]), newStart: Number(match[3]), lines: [], header: line };
		while (oldLeft > 0 || newLeft > 0 || lines[index + 1]?.startsWith('\\')) {
			const next = lines[++index];
			if (next === undefined) throw new UsageError(`**** malformed patch at line ${index}`);
			if (next.startsWith('\\')) {
				hunk.lines.push(next);
				continue;
			}
			const sign = next[0] ?? ' ';
			if (!' +-'.includes(sign)) throw new UsageError(`**** malformed patch at line ${index + 1}: ${next}`);
			if (sign !== '+') oldLeft--;
			if (sign !== '-') newLeft--;
			hunk.lines.push(next === '' ? ' ' : next);
		}
		current.hunks.push(hunk);
	}
	return patches;
}

/** Returns the lines of one side of a hunk, with their line ends. */
function side(hunk: Hunk, sign: '-' | '+'): string[] {
	const result: string[] = [];
	let last = ' ';
	for (const line of hunk.lines) {
		if (line.startsWith('\\')) {
			if (last === ' ' || last === sign) result.push((result.pop() ?? '').slice(0, -1));
			continue;
		}
		last = line[0] ?? ' ';
		if (last === ' ' || last === sign) result.push(`${line.slice(1)}\n`);
	}
	return result;
}

/** Finds the position where a hunk fits, nearest to the stated one, and the number of ignored context lines. */
function place(lines: readonly string[], hunk: Hunk, at: number, fuzziest: number) {
	const before = side(hunk, '-');
	const context = (part: readonly string[]) => {
		const first = part.findIndex((line) => !line.startsWith(' '));
		return first < 0 ? part.length : first;
	};
	const body = hunk.lines.filter((line) => !line.startsWith('\\'));
	const [lead, trail] = [context(body), context([...body].reverse())];
	for (let fuzz = 0; fuzz <= fuzziest; fuzz++) {
		const most = Math.max(lead, trail);
		const [skip, drop] = [Math.max(0, fuzz + lead - most), Math.max(0, fuzz + trail - most)];
		if (fuzz > 0 && (fuzz > most || skip > lead || drop > trail)) break;
		const wanted = before.slice(skip, before.length - drop);
		for (let distance = 0; distance <= lines.length; distance++) {
			for (const start of distance === 0 ? [at] : [at + distance, at - distance]) {
				const from = start + skip;
				if (from < 0 || from + wanted.length > lines.length) continue;
				if (wanted.every((line, index) => lines[from + index] === line)) return { start, skip, drop, fuzz };
			}
		}
	}
	return null;
}

function reversed(patch: FilePatch): FilePatch {
	const flipped = (lines: readonly string[]) => {
		const swapped = lines.map((line) =>
			line.startsWith('+') ? `-${line.slice(1)}` : line.startsWith('-') ? `+${line.slice(1)}` : line
		);
		const result: string[] = [];
		// Removed lines come before added ones.
		for (let index = 0; index < swapped.length;) {
			const run: string[] = [];
			while (index < swapped.length && !(swapped[index] ?? '').startsWith(' ')) run.push(swapped[index++] ?? '');
			const part = (sign: string) =>
				run.flatMap((line, at) =>
					line.startsWith(sign) ? [line, ...(run[at + 1]?.startsWith('\\') ? [run[at + 1] ?? ''] : [])] : []
				);
			result.push(...part('-'), ...part('+'));
			if (index < swapped.length) result.push(swapped[index++] ?? '');
		}
		return result;
	};
	return {
		from: patch.to,
		to: patch.from,
		hunks: patch.hunks.map((hunk) => ({
			...hunk,
			oldStart: hunk.newStart,
			newStart: hunk.oldStart,
			lines: flipped(hunk.lines)
		}))
	};
}

function targetOf(call: Call, options: Options, patch: FilePatch, given: string | undefined): string | null {
	if (given !== undefined) return given;
	const strip = options.get('p');
	const { sync } = call.shell.host.context;
	const stripped = (name: string) => {
		if (name === '/dev/null' || name === '') return null;
		if (strip === undefined) return name.split('/').at(-1) ?? name;
		return name.split('/').slice(Number(strip)).join('/') || null;
	};
	const names = [stripped(patch.from), stripped(patch.to)].filter((name) => name !== null);
	return names.find((name) => sync.statOrNull(call.shell.path(name))) ?? names.at(-1) ?? null;
}

/** `patch`, for unified diffs. */
export const patch = utility(
	'p|strip= i|input= R|reverse s|quiet|silent N|forward d|directory= dry-run o|output= b|backup f|force t|batch E|remove-empty-files F|fuzz= u|unified verbose ' +
		'l|ignore-whitespace no-backup-if-mismatch r|reject-file= z= binary',
	async (call, options) => {
		const { shell } = call;
		const { sync } = shell.host.context;
		const [given, second] = options.operands;
		const source = options.get('i') ?? second ?? '-';
		const text = decode(
			source === '-'
				? await shell.control.race(shell.descriptors.require(0).readAll())
				: sync.readFile(shell.path(source))
		);
		const directory = options.get('d');
		const patches = parsePatch(text);
		if (patches.length === 0 && text.trim()) {
			await call.complain('**** Only garbage was found in the patch input.');
			return 2;
		}
		return runSubshell(shell, async (inner) => {
			if (directory !== undefined) inner.cwd = shell.path(directory);
			let status = 0;
			for (const one of patches) {
				const applied = applyOne({ ...call, shell: inner }, options, options.has('R') ? reversed(one) : one, given);
				status = Math.max(status, await applied);
			}
			return status;
		});
	},
	2
);

/** Applies the hunks of a patch to a text, and reports those that apply at another position or not at all. */
async function applyHunks(
	call: Call,
	options: Options,
	patch: FilePatch,
	original: string
): Promise<{ text: string; rejected: Hunk[] }> {
	let lines: string[] = original.match(/[^\n]*\n|[^\n]+$/g) ?? [];
	let offset = 0;
	const rejected: Hunk[] = [];
	for (const [index, hunk] of patch.hunks.entries()) {
		const expected = Math.max(0, hunk.oldStart - (side(hunk, '-').length === 0 ? 0 : 1)) + offset;
		const found = place(lines, hunk, expected, options.number('F', 2));
		if (!found) {
			rejected.push(hunk);
			await call.out(`Hunk #${index + 1} FAILED at ${hunk.oldStart}.\n`);
			continue;
		}
		const [before, after] = [side(hunk, '-'), side(hunk, '+')];
		const from = found.start + found.skip;
		const replacement = after.slice(found.skip, after.length - found.drop);
		lines = [...lines.slice(0, from), ...replacement, ...lines.slice(from + before.length - found.skip - found.drop)];
		const moved = found.start - expected;
		offset += after.length - before.length + moved;
		if ((moved || found.fuzz) && !options.has('s'))
			await call.out(
				`Hunk #${index + 1} succeeded at ${found.start + 1}${found.fuzz ? ` with fuzz ${found.fuzz}` : ''}${moved ? ` (offset ${moved} line${Math.abs(moved) === 1 ? '' : 's'})` : ''}.\n`
			);
	}
	return { text: lines.join(''), rejected };
}

async function applyOne(call: Call, options: Options, patch: FilePatch, given: string | undefined): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const name = targetOf(call, options, patch, given);
	if (name === null) {
		await call.out("can't find file to patch\n");
		return 1;
	}
	const path = shell.path(name);
	const stat = sync.statOrNull(path);
	const creates =
		patch.from === '/dev/null' || patch.hunks.every((hunk) => hunk.oldStart === 0 && side(hunk, '-').length === 0);
	if (!stat && !creates) {
		await call.out(`can't find file to patch at input line 3\n`);
		return 1;
	}
	const original = stat ? decode(sync.readFile(path)) : '';
	const dry = options.has('dry-run');
	if (!options.has('s')) await call.out(`${dry ? 'checking' : 'patching'} file ${name}\n`);
	const { text: result, rejected } = await applyHunks(call, options, patch, original);
	if (rejected.length) {
		const count = patch.hunks.length;
		await call.out(
			`${rejected.length} out of ${count} hunk${count === 1 ? '' : 's'} FAILED${dry ? '' : ` -- saving rejects to file ${name}.rej`}\n`
		);
	}
	if (dry) return rejected.length ? 1 : 0;
	if (rejected.length) {
		const body = rejected
			.map((hunk) => `${hunk.header.replace(/(@@.*@@).*/, '$1')}\n${hunk.lines.join('\n')}\n`)
			.join('');
		sync.writeFile(`${path}.rej`, encode(`--- ${patch.from}\n+++ ${patch.to}\n${body}`));
		if (stat && !options.has('no-backup-if-mismatch')) sync.writeFile(`${path}.orig`, encode(original));
	}
	if (stat && options.has('b')) sync.writeFile(`${path}.orig`, encode(original));
	const output = options.get('o');
	if (output !== undefined) sync.writeFile(shell.path(output), encode(result));
	else if (patch.to === '/dev/null' || (result === '' && options.has('E'))) {
		if (stat) sync.unlink(path);
	} else if (rejected.length < patch.hunks.length) {
		sync.mkdir(path.replace(/\/[^/]*$/, '') || '/', { recursive: true });
		sync.writeFile(path, encode(result), { mode: stat ? stat.mode & 0o777 : 0o666 & ~shell.umask });
	}
	return rejected.length ? 1 : 0;
}
