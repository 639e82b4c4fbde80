import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { runWords } from '#computer/shell/execution/run-words.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { decode, encode } from '#computer/process/text.ts';
import { splitLines } from '#environment/lines.ts';
import { LineSource } from '../../input/line-source.ts';
import { type Options, parseOptions, UsageError, utility } from '../../options.ts';
import { shellEscaped } from '../../shell-escape.ts';
import { type Change, changesOf, lineRange, linesOf, type Sides } from './changes.ts';
import { diff } from './diff.ts';
import { isDirectory, type Operand, operandOf, textOf } from './operand.ts';
import { settingsOf, SPECIFICATION } from './settings.ts';
import { type Columns, sideBySide } from './side-by-side.ts';

const [SAME, DIFFERENT, TROUBLE] = [0, 1, 2];

/** Options that have another name in `diff`. */
const RENAMED: Readonly<Record<string, string>> = { W: '-w', l: '--left-column', s: '--suppress-common-lines' };

/** `sdiff`: shows two files side by side; with `-o` it asks for each change which side goes into a new file. */
export const sdiff = utility(
	'o|output= i|ignore-case E|ignore-tab-expansion Z|ignore-trailing-space b|ignore-space-change W|ignore-all-space ' +
		'B|ignore-blank-lines I|ignore-matching-lines= strip-trailing-cr a|text w|width= l|left-column ' +
		's|suppress-common-lines t|expand-tabs tabsize= d|minimal H|speed-large-files diff-program=',
	async (call, options) => {
		const [from, to, extra] = options.operands;
		if (from === undefined || to === undefined) throw new UsageError(`missing operand after '${from ?? 'sdiff'}'`);
		if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
		const args = diffArguments(options);
		const output = options.get('o');
		if (output !== undefined) return merge(call, args, [from, to], output);
		const complain = async (text: string) =>
			void (await call.shell.descriptors.get(2)?.write(encode(`diff: ${text}\n`)));
		return diff({ ...call, name: 'diff', args: [...args, '--', from, to], complain });
	},
	TROUBLE
);

const diffArguments = (options: Options): string[] => [
	'-y',
	...options.given.flatMap(({ name, value }) => {
		if (name === 'o' || name === 'diff-program') return [];
		if (name === 'w') return [`--width=${value}`];
		const option = RENAMED[name] ?? (name.length > 1 ? `--${name}` : `-${name}`);
		return name === 'I' ? [`-I${value}`] : name === 'tabsize' ? [`--tabsize=${value}`] : [option];
	})
];

async function merge(call: Call, args: string[], names: readonly [string, string], output: string): Promise<number> {
	if (call.shell.host.context.sync.statOrNull(call.shell.path(output))?.kind === 'directory') {
		await call.complain(`${output}: Is a directory`);
		return TROUBLE;
	}
	const options = parseOptions(args, SPECIFICATION);
	const settings = settingsOf(options, false);
	const files = operandsOf(call, options, names);
	if (!files) {
		await call.complain('both files to be compared are directories');
		return TROUBLE;
	}
	const texts: string[] = [];
	for (const file of files) {
		try {
			if (file.isAbsent) throw new Error('No such file or directory');
			texts.push(await textOf(call, file));
		} catch (error) {
			await call.complain(`${file.name}: ${reason(error)}`);
			return TROUBLE;
		}
	}
	const [old = [], added = []] = texts.map(splitLines);
	const sides: Sides = { old, new: added };
	const common = options.has('suppress-common-lines') ? 'none' : options.has('left-column') ? 'left' : 'both';
	const { width, tab, paint, style } = settings;
	const columns: Columns = { width, tab, paint, common, isExpanded: style.expandedTab !== null };
	const merging = new Merging(call, sides, columns, [files[0].name, files[1].name]);
	const status = await merging.run(changesOf(sides, settings.rules));
	try {
		call.shell.host.context.sync.writeFile(call.shell.path(output), encode(merging.result));
	} catch (error) {
		await call.complain(`${output}: ${reason(error)}`);
		return TROUBLE;
	}
	return status;
}

function operandsOf(call: Call, options: Options, [from, to]: readonly [string, string]): [Operand, Operand] | null {
	const [one, other] = [operandOf(call, options, from), operandOf(call, options, to)];
	if (isDirectory(one) && isDirectory(other)) return null;
	const inside = (directory: string, file: string) =>
		operandOf(call, options, `${directory.replace(/\/+$/, '')}/${file.split('/').at(-1)}`);
	return [isDirectory(one) ? inside(from, to) : one, isDirectory(other) ? inside(to, from) : other];
}

const HELP = `l or 1:	use the left version
r or 2:	use the right version
el, e1:	edit the left version and use it
er, e2:	edit the right version and use it
eb:	edit both versions and use them
ed:	the same, a header above each
e:	edit new text in place of both
s:	show no common lines
v:	show common lines
q:	quit
`;

/** Goes through the changes and asks for each of them. */
class Merging {
	result = '';
	#isVerbose: boolean;
	readonly #input: LineSource;

	constructor(
		private readonly call: Call,
		private readonly sides: Sides,
		private readonly columns: Columns,
		private readonly names: readonly [string, string]
	) {
		this.#isVerbose = columns.common !== 'none';
		// Read byte by byte: the input after an answer is left to the editor.
		this.#input = new LineSource(call, ['-'], undefined, 1);
	}

	async run(changes: readonly Change[]): Promise<number> {
		const { sides } = this;
		const asked = changes.filter(({ isIgnorable }) => !isIgnorable);
		let at: [number, number] = [0, 0];
		for (const change of asked) {
			await this.#common(at, [change.oldStart, change.newStart]);
			const chosen = await this.#ask(change);
			if (chosen === null) return TROUBLE;
			this.result += chosen;
			at = [change.oldStart + change.oldCount, change.newStart + change.newCount];
		}
		await this.#common(at, [sides.old.length, sides.new.length]);
		return asked.length > 0 ? DIFFERENT : SAME;
	}

	async #common(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
		const old = this.sides.old.slice(from[0], to[0]);
		this.result += old.join('');
		if (!this.#isVerbose) return;
		const common = this.columns.common === 'left' ? 'left' : 'both';
		const shown = { old, new: this.sides.new.slice(from[1], to[1]) };
		await this.call.out(sideBySide(shown, [], { ...this.columns, common }));
	}

	/** Asks which version to use. @returns null at the end of the input */
	async #ask(change: Change): Promise<string | null> {
		const old = linesOf(this.sides.old, change.oldStart, change.oldCount);
		const added = linesOf(this.sides.new, change.newStart, change.newCount);
		const alone = { ...change, oldStart: 0, newStart: 0 };
		await this.call.out(sideBySide({ old, new: added }, [alone], this.columns));
		for (;;) {
			await this.call.out('%');
			const line = await this.#input.next();
			const answer = line?.text.trim();
			if (answer === undefined || answer === 'q') return null;
			const [left, right] = [old.join(''), added.join('')];
			if (answer === 'l' || answer === '1') return left;
			if (answer === 'r' || answer === '2') return right;
			if (answer === 's' || answer === 'v') this.#isVerbose = answer === 'v';
			else if (/^e[l1]$/.test(answer)) return this.#edited(left);
			else if (/^e[r2]$/.test(answer)) return this.#edited(right);
			else if (answer === 'eb') return this.#edited(left + right);
			else if (answer === 'ed') return this.#edited(this.#withHeaders(change, left, right));
			else if (answer === 'e') return this.#edited('');
			else await this.call.out(HELP);
		}
	}

	#withHeaders({ oldStart, oldCount, newStart, newCount }: Change, left: string, right: string): string {
		const old = oldCount > 0 ? `--- ${this.names[0]} ${lineRange(oldStart, oldCount)}\n${left}` : '';
		return old + (newCount > 0 ? `+++ ${this.names[1]} ${lineRange(newStart, newCount)}\n${right}` : '');
	}

	/** Lets the user edit text, and returns the result. */
	async #edited(text: string): Promise<string> {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		const path = `/tmp/sdiff${shell.pid}.${Date.now().toString(36)}`;
		const editor = shell.variables.exported('EDITOR') || 'ed';
		sync.writeFile(path, encode(text));
		try {
			await runSubshell(shell, (inner) => {
				inner.options = { ...inner.options, xtrace: false };
				return runWords(inner, ['eval', `${editor} ${shellEscaped(path)}`]);
			});
			return decode(sync.readFile(path));
		} finally {
			sync.unlink(path);
		}
	}
}
