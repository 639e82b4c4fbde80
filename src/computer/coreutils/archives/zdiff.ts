import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import { bytesStream } from '#computer/shell/streams/simple-streams.ts';
import { UsageError, utility } from '../options.ts';
import { passedOptions } from '../passed-options.ts';
import { cmp, SPECIFICATION as CMP_OPTIONS } from '../text/cmp.ts';
import { diff } from '../text/diff/diff.ts';
import { SPECIFICATION as DIFF_OPTIONS } from '../text/diff/settings.ts';
import { COMPRESSED_NAME, namedCall, readUnpacked } from './unpacked-file.ts';

const TROUBLE = 2;
/** Descriptor of the first of two decompressed files; the other one is standard input. */
const FIRST_DESCRIPTOR = 5;

/**
 * `zdiff` and `zcmp`: `diff` and `cmp` of files that may be compressed, or of a file and the same name without its
 * suffix.
 */
const comparing = (name: string, command: BuiltIn, specification: string): BuiltIn =>
	utility(
		specification,
		async (call, options) => {
			const [first, second, extra] = options.operands;
			if (first === undefined) throw new UsageError('missing operand', false);
			if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`, false);
			const names: [string, string] = [first, second ?? withoutSuffix(first)];
			return compare(call, names, passedOptions(options), { name, command });
		},
		TROUBLE
	);

export const zdiff = comparing('diff', diff, DIFF_OPTIONS);
export const zcmp = comparing('cmp', cmp, CMP_OPTIONS);

async function compare(
	call: Call,
	names: readonly [string, string],
	options: readonly string[],
	{ name, command }: { name: string; command: BuiltIn }
): Promise<number> {
	const { shell } = call;
	const missing = names.find((one) => one !== '-' && !isThere(call, one));
	if (missing !== undefined) {
		await call.complain(`cannot open ${missing}: No such file or directory`);
		return TROUBLE;
	}
	const contents: (Uint8Array | null)[] = [];
	for (const one of names) {
		const isPacked = one === '-' || COMPRESSED_NAME.test(one);
		const content = isPacked ? await readUnpacked(call, one) : null;
		if (isPacked && content === null) return TROUBLE;
		contents.push(content);
	}
	const [one, other] = contents;
	return runSubshell(shell, async (inner) => {
		const first = one && other ? `/dev/fd/${FIRST_DESCRIPTOR}` : one ? '-' : names[0];
		if (one && other) inner.descriptors.set(FIRST_DESCRIPTOR, new OpenFile(bytesStream(one)));
		const input = other ?? one;
		if (input) inner.descriptors.set(0, new OpenFile(bytesStream(input)));
		const args = [...options, '--', first, other ? '-' : names[1]];
		return command({ ...call, ...namedCall(call, name), shell: inner, args });
	});
}

function isThere({ shell }: Call, name: string): boolean {
	const path = shell.path(name);
	if (name.startsWith('/dev/') || shell.host.substitutions.has(path)) return true;
	return shell.host.context.sync.statOrNull(path) !== null;
}

/** @throws UsageError for a name without a suffix of compressed files */
function withoutSuffix(name: string): string {
	if (!COMPRESSED_NAME.test(name)) throw new UsageError(`${name}: unknown compressed file extension`, false);
	return name.replace(/\.t[ag]z$/, '.tar').replace(/(?:[-.](?:gz|[zZ])|_z)$/, '');
}
