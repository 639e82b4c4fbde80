import { decode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { Interrupted } from '#computer/shell/state/control.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { readWhole } from '../input/whole-file.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { passedOptions } from '../passed-options.ts';
import { grep, SPECIFICATION } from '../text/grep.ts';
import { readUnpacked, runOn } from './unpacked-file.ts';

const [FOUND, NONE, TROUBLE] = [0, 1, 2];
/** Exit status above which a signal ended the command, so the remaining files are skipped. */
const SIGNALLED = 128;

/** Options that only make sense for plain files, as named in messages. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
	...{ r: '-r', R: '-R', d: '-d', z: '-z', Z: '-Z' },
	...{ include: '--include', exclude: '--exclude', 'exclude-from': '--exclude-from', 'exclude-dir': '--exclude-dir' }
};

/** `zgrep`, `zegrep` and `zfgrep`: `grep` in files that may be compressed. */
const searching = (kind: 'E' | 'F' | null): BuiltIn =>
	utility(
		SPECIFICATION,
		async (call, options) => {
			const refused = options.given.find(({ name }) => name in UNSUPPORTED);
			if (refused) throw new UsageError(`${UNSUPPORTED[refused.name]}: option not supported`, false);
			const operands = [...options.operands];
			const patterns = await patternsOf(call, options, operands);
			if (patterns === null) return TROUBLE;
			const names = operands.length > 0 ? operands : ['-'];
			const args = [...(kind ? [`-${kind}`] : []), ...passedOptions(options, ['e', 'f', 'h', 'H', 'label'])];
			const isNamed = options.last('h', 'H') === 'H' || (names.length > 1 && !options.has('h'));
			const search = { args: [...args, isNamed ? '-H' : '-h', '-e', patterns], isQuiet: options.has('q') };
			return searchAll(call, names, search, options.get('label'));
		},
		TROUBLE
	);

export const zgrep = searching(null);
export const zegrep = searching('E');
export const zfgrep = searching('F');

async function searchAll(
	call: Call,
	names: readonly string[],
	{ args, isQuiet }: { args: string[]; isQuiet: boolean },
	label: string | undefined
): Promise<number> {
	let [isFound, hasFailed] = [false, false];
	for (const name of names) {
		const content = await readUnpacked(call, name);
		if (content === null) {
			hasFailed = true;
			continue;
		}
		const shown = name === '-' ? (label ?? '(standard input)') : name;
		const status = await runOn(call, grep, 'grep', [...args, `--label=${shown}`], content);
		if (status > SIGNALLED) return status;
		isFound ||= status === FOUND;
		hasFailed ||= status > NONE;
		if (isFound && isQuiet) return FOUND;
	}
	return hasFailed ? TROUBLE : isFound ? FOUND : NONE;
}

/** Returns the patterns, one per line; pattern files are read only once. Null after an error was reported. */
async function patternsOf(call: Call, options: Options, operands: string[]): Promise<string | null> {
	const patterns = options.all('e');
	for (const name of options.all('f')) {
		try {
			const { control, descriptors } = call.shell;
			const bytes =
				name === '-' ? await control.race(descriptors.require(0).readAll()) : await readWhole(call.shell, name);
			patterns.push(decode(bytes).replace(/\n$/, ''));
		} catch (error) {
			if (error instanceof Interrupted) throw error;
			await call.complain(`${name}: ${reason(error)}`);
			return null;
		}
	}
	if (options.has('e', 'f')) return patterns.join('\n');
	const first = operands.shift();
	if (first === undefined) throw new UsageError(`missing pattern; try \`${call.name} --help' for help`, false);
	return first;
}
