import type { Visited } from './visited.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import { decode, encode } from '#computer/process/text.ts';
import { runWords } from '#computer/shell/execution/run-words.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { TextOutput } from '../input/text-output.ts';
import { UsageError } from '../options.ts';
import { isAnsweredYes } from '../question.ts';
import { posixPattern } from '../text/posix-pattern.ts';
import { comparison, fileSystemTest, isExtendedRegex, sizeTest, typesOf, usedTest } from './find-arguments.ts';
import { isInputFile } from './files0.ts';
import { formatted, typeLetter, unknownEscapes } from './find-format.ts';
import { changedMode, modeText } from './modes.ts';

/** Test or action; false ends an `and`. */
type Test = (file: Visited) => boolean | Promise<boolean>;

/** Number of the only user and group. */
const USER = 1000;
const STARTS_EXPRESSION = /^(-.|[!(]$)/;

/** `find`. */
export const find: BuiltIn = async (call) => {
	try {
		return await new Find(call).run();
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		await call.complain(error.message);
		return 1;
	}
};

class Find {
	#words: string[];
	#at = 0;
	#status = 0;
	#minimum = 0;
	#maximum = Infinity;
	#deep = false;
	#follow = false;
	#staysOnDevice = false;
	/** File system of the starting point. */
	#device = 0;
	#acts = false;
	#pruned = false;
	#quit = false;
	/** File of `-files0-from`. */
	#startsFrom: string | null = null;
	/** Set by `-regextype`, for subsequent tests. */
	#isExtended = false;
	/** Set if `-ok` reads standard input. */
	#asks = false;
	/** Output of `-fprint` and similar actions, by file. */
	readonly #files = new Map<string, string>();
	/** Warnings printed before the walk. */
	readonly #warnings: string[] = [];
	#batches: { words: string[]; files: string[]; directory: string | null }[] = [];
	#out: TextOutput;
	#now = Date.now();

	constructor(private readonly call: Call) {
		this.#words = [...call.args];
		this.#out = new TextOutput(call);
	}

	async run(): Promise<number> {
		if (/^--?version$/.test(this.#words[0] ?? '')) {
			await this.call.out('find (GNU findutils) 4.9.0\n');
			return 0;
		}
		this.#leadingOptions();
		const starts: string[] = [];
		while (this.#words.length && !STARTS_EXPRESSION.test(this.#words[0] ?? '')) starts.push(this.#words.shift() ?? '');
		const test = this.#expression();
		for (const warning of this.#warnings) await this.call.complain(warning);
		for await (const start of this.#startsFrom === null ? (starts.length ? starts : ['.']) : this.#listed(starts))
			await this.#visitStart(start, test);
		for (const batch of this.#batches) await this.#runBatch(batch);
		await this.#out.flush();
		for (const [name, text] of this.#files) this.#sync.writeFile(this.call.shell.path(name), encode(text));
		return this.#status;
	}

	/** Parses `-L`, `-H`, `-P`, and those that only concern GNU's own optimizer and debugger. */
	#leadingOptions(): void {
		for (;;) {
			const word = this.#words[0] ?? '';
			if (/^-[LHP]$/.test(word)) this.#follow = word === '-L';
			else if (word === '-D') {
				this.#words.shift();
				if (this.#words.length === 0) throw new UsageError('Missing argument after the -D option.');
			} else if (!/^-O\d$/.test(word)) return;
			this.#words.shift();
		}
	}

	/** Parses the whole expression, adding `-print` if it has no action. */
	#expression(): Test {
		const test: Test = this.#words.length ? this.#list() : () => true;
		const left = this.#words[this.#at];
		if (left === ')')
			throw new UsageError(
				this.#startsFrom !== null && this.#at === 2
					? "invalid expression: expected expression before closing parentheses ')'."
					: "you have too many ')'"
			);
		if (left !== undefined) throw new UsageError(`paths must precede expression: \`${left}'`);
		return this.#acts ? test : async (file) => (await test(file)) && this.#print(`${file.shown}\n`);
	}

	async #visitStart(start: string, test: Test): Promise<void> {
		const path = this.call.shell.path(start);
		const stat = this.#stat(path);
		if (stat) {
			this.#device = stat.device;
			const name = start.replace(/\/+$/, '').split('/').at(-1) || '/';
			await this.#visit({ shown: start, path, relative: '', start, name, depth: 0, stat }, test);
			return;
		}
		await this.#out.flush();
		await this.call.complain(`'${start}': No such file or directory`);
		this.#status = 1;
	}

	/** Reads starting points from the list of `-files0-from`. */
	async *#listed(starts: readonly string[]): AsyncGenerator<string> {
		const name = this.#startsFrom ?? '';
		if (starts.length > 0)
			throw new UsageError(`extra operand '${starts[0]}'\nfind: file operands cannot be combined with -files0-from`);
		if (this.#asks && name === '-')
			throw new UsageError(`option -files0-from reading from standard input cannot be combined with -ok, -okdir`);
		if (this.#asks && isInputFile(this.call, name))
			throw new UsageError(
				`option -files0-from: standard input must not refer to the same file when combined with -ok, -okdir: '${name}'\n`
			);
		const { descriptors, control } = this.call.shell;
		let bytes: Uint8Array;
		try {
			bytes =
				name === '-'
					? await control.race(descriptors.require(0).readAll())
					: this.#sync.readFile(this.call.shell.path(name));
		} catch (error) {
			const why = reason(error);
			const fault = why === 'Is a directory' ? `'${name}': read error` : `cannot open '${name}' for reading`;
			throw new UsageError(`${fault}: ${why}`);
		}
		const items = decode(bytes).split('\0');
		if (items.at(-1) === '') items.pop();
		for (const [index, item] of items.entries()) {
			if (item !== '') {
				yield item;
				continue;
			}
			await this.#out.flush();
			await this.call.complain(
				`'${name === '-' ? '(standard input)' : name}':${index + 1}: invalid zero-length file name`
			);
			this.#status = 1;
		}
	}

	get #sync() {
		return this.call.shell.host.context.sync;
	}

	#stat(path: string): WireStat | null {
		try {
			return (this.#follow ? this.#sync.statOrNull(path) : null) ?? this.#sync.lstat(path);
		} catch {
			// Removed meanwhile, or the path leads through something that is not a directory.
			return null;
		}
	}

	/** Entries of a directory; empty, with a complaint, if it cannot be listed. */
	async #entries(file: Visited): Promise<WireDirent[]> {
		try {
			return this.#sync.readdir(file.path);
		} catch (error) {
			await this.call.complain(`'${file.shown}': ${reason(error)}`);
			this.#status = 1;
			return [];
		}
	}

	async #visit(file: Visited, test: Test): Promise<void> {
		await this.call.shell.control.yieldIfDue();
		this.#pruned = false;
		const wanted = file.depth >= this.#minimum;
		if (wanted && !this.#deep) await test(file);
		if (this.#quit) return;
		const isEntered = !this.#pruned && (!this.#staysOnDevice || file.stat.device === this.#device);
		if (file.stat.kind === 'directory' && file.depth < this.#maximum && isEntered) {
			for (const { name } of await this.#entries(file)) {
				const path = `${file.path.replace(/\/$/, '')}/${name}`;
				const stat = this.#stat(path);
				if (!stat) continue;
				const relative = file.relative ? `${file.relative}/${name}` : name;
				await this.#visit(
					{
						shown: `${file.shown.replace(/\/$/, '')}/${name}`,
						path,
						relative,
						start: file.start,
						name,
						depth: file.depth + 1,
						stat
					},
					test
				);
				if (this.#quit) return;
			}
		}
		if (wanted && this.#deep) await test(file);
		if (this.#out.full) await this.#out.flush();
	}

	#print(text: string): boolean {
		this.#out.add(text);
		return true;
	}

	/** @throws UsageError if an operator is the last word */
	#needOperand(): void {
		const operator = this.#words[this.#at - 1] ?? '';
		if (this.#at >= this.#words.length) throw new UsageError(`expected an expression after '${operator}'`);
	}

	#take(): string {
		const word = this.#words[this.#at];
		if (word === undefined) throw new UsageError(`missing argument to \`${this.#words[this.#at - 1] ?? ''}'`);
		this.#at++;
		return word;
	}

	#accept(...words: string[]): boolean {
		if (!words.includes(this.#words[this.#at] ?? '')) return false;
		this.#at++;
		return true;
	}

	/** Parses `a , b`: both run, and the result is that of the second. */
	#list(): Test {
		let left = this.#or();
		while (this.#accept(',')) {
			const [first, second] = [left, this.#or()];
			left = async (file) => {
				await first(file);
				return second(file);
			};
		}
		return left;
	}

	#or(): Test {
		let left = this.#and();
		while (this.#accept('-o', '-or')) {
			this.#needOperand();
			const [first, second] = [left, this.#and()];
			left = async (file) => (await first(file)) || second(file);
		}
		return left;
	}

	#and(): Test {
		let left = this.#not();
		for (;;) {
			const explicit = this.#accept('-a', '-and');
			const next = this.#words[this.#at];
			if (!explicit && (next === undefined || [')', ',', '-o', '-or'].includes(next))) return left;
			if (explicit) this.#needOperand();
			const [first, second] = [left, this.#not()];
			left = async (file) => (await first(file)) && second(file);
		}
	}

	#not(): Test {
		if (this.#accept('!', '-not')) {
			this.#needOperand();
			const inner = this.#not();
			return async (file) => !(await inner(file));
		}
		if (this.#accept('(')) {
			const inner = this.#list();
			if (!this.#accept(')'))
				throw new UsageError("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
			return inner;
		}
		return this.#primary();
	}

	#primary(): Test {
		const name = this.#take();
		return (
			this.#nameTest(name) ?? this.#statTest(name) ?? this.#timeTest(name) ?? this.#option(name) ?? this.#action(name)
		);
	}

	/** Parses tests of names and paths. Null for any other word. */
	#nameTest(name: string): Test | null {
		const glob = (ignoreCase: boolean, of: (file: Visited) => string): Test => {
			const pattern = globRegExp(this.#take(), { ignoreCase });
			return (file) => pattern.test(of(file));
		};
		switch (name) {
			case '-name':
			case '-iname':
				return glob(name === '-iname', (file) => file.name);
			case '-path':
			case '-wholename':
			case '-ipath':
				return glob(name === '-ipath', (file) => file.shown);
			case '-lname': {
				const pattern = globRegExp(this.#take());
				return ({ stat, path }) => stat.kind === 'symlink' && pattern.test(this.#sync.readlink(path));
			}
			case '-regextype':
				this.#isExtended = isExtendedRegex(this.#take());
				return () => true;
			case '-regex':
			case '-iregex': {
				const pattern = posixPattern(this.#take(), { extended: this.#isExtended, ignoreCase: name === '-iregex' });
				const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags);
				return (file) => whole.test(file.shown);
			}
			default:
				return null;
		}
	}

	/** Parses tests of `stat` data, except times. Null for any other word. */
	#statTest(name: string): Test | null {
		switch (name) {
			case '-type':
			case '-xtype': {
				const types = typesOf(name, this.#take());
				if (name === '-type') return ({ stat }) => types.includes(typeLetter(stat));
				// Tests the link if links are followed, and the file if they are not.
				return ({ path, stat }) =>
					types.includes(typeLetter(this.#follow ? this.#sync.lstat(path) : (this.#sync.statOrNull(path) ?? stat)));
			}
			case '-size':
				return sizeTest(this.#take());
			case '-fstype':
				return fileSystemTest(this.#take());
			case '-empty':
				return ({ stat, path }) =>
					(stat.kind === 'directory' ? this.#sync.readdir(path).length : typeLetter(stat) === 'f' ? stat.size : 1) ===
					0;
			case '-perm': {
				const text = this.#take();
				const bits = changedMode(0, text.replace(/^[-/]/, ''), false);
				if (bits === null) throw new UsageError(`invalid mode '${text}'`);
				if (text.startsWith('-')) return ({ stat }) => (stat.mode & bits) === bits;
				if (text.startsWith('/')) return ({ stat }) => bits === 0 || (stat.mode & bits) !== 0;
				return ({ stat }) => (stat.mode & 0o7777) === bits;
			}
			case '-executable':
				return ({ stat }) => stat.kind === 'directory' || (stat.mode & 0o111) !== 0;
			case '-links': {
				const compare = comparison(this.#take(), name);
				return ({ stat }) => compare(stat.links);
			}
			case '-inum': {
				const compare = comparison(this.#take(), name);
				return ({ stat }) => compare(stat.inode);
			}
			case '-samefile': {
				const stat = this.#stat(this.call.shell.path(this.#take()));
				return (file) => file.stat.inode === stat?.inode;
			}
			default:
				return null;
		}
	}

	/** Parses tests of times. Null for any other word. */
	#timeTest(name: string): Test | null {
		const field = ({ a: 'accessedMs', c: 'changedMs' } as const)[/^-([ac])(?:time|min)$/.exec(name)?.[1] ?? ''];
		const age = (unitMs: number): Test => {
			const compare = comparison(this.#take(), name);
			return ({ stat }) => compare(Math.floor((this.#now - stat[field ?? 'modifiedMs']) / unitMs));
		};
		switch (name) {
			case '-mtime':
			case '-atime':
			case '-ctime':
				return age(86_400_000);
			case '-mmin':
			case '-amin':
			case '-cmin':
				return age(60_000);
			case '-newer':
			case '-anewer':
			case '-cnewer': {
				const other = this.#take();
				const stat = this.#stat(this.call.shell.path(other));
				if (!stat) throw new UsageError(`'${other}': No such file or directory`);
				const own = name === '-anewer' ? 'accessedMs' : name === '-cnewer' ? 'changedMs' : 'modifiedMs';
				return (file) => file.stat[own] > stat.modifiedMs;
			}
			case '-used':
				return usedTest(this.#take());
			case '-newermt': {
				const text = this.#take();
				const time = Date.parse(text);
				if (Number.isNaN(time))
					throw new UsageError(`I cannot figure out how to interpret '${text}' as a date or time`);
				return ({ stat }) => stat.modifiedMs > time;
			}
			default:
				return null;
		}
	}

	/** A path in `-name a b` is often from a pattern that the shell has expanded. */
	#unquotedHint(): string {
		const predicate = this.#words[this.#at - 3] ?? '';
		return /^-i?(name|path)$/.test(predicate)
			? `\nfind: possible unquoted pattern after predicate \`${predicate}'?`
			: '';
	}

	#depth(name: string): number {
		const text = this.#take();
		if (!/^\d+$/.test(text))
			throw new UsageError(`Expected a positive decimal integer argument to ${name}, but got '${text}'`);
		return Number(text);
	}

	/** Parses options that affect the whole walk, or are always true. Null for any other word. */
	#option(name: string): Test | null {
		switch (name) {
			case '-readable':
			case '-writable':
			case '-true':
			case '-noleaf':
			case '-daystart':
				return () => true;
			case '-mount':
			case '-xdev':
				this.#staysOnDevice = true;
				return () => true;
			case '-false':
				return () => false;
			case '-user':
			case '-group':
				this.#take();
				return () => true;
			case '-uid':
			case '-gid': {
				const compare = comparison(this.#take(), name);
				return () => compare(USER);
			}
			case '-nouser':
			case '-nogroup':
				return () => false;
			case '-maxdepth':
				this.#maximum = this.#depth(name);
				return () => true;
			case '-mindepth':
				this.#minimum = this.#depth(name);
				return () => true;
			case '-files0-from':
				this.#startsFrom = this.#take();
				return () => true;
			case '-depth':
				this.#deep = true;
				return () => true;
			case '-follow':
				this.#follow = true;
				return () => true;
			case '-prune':
				return () => (this.#pruned = true);
			case '-quit':
				this.#acts = true;
				return () => (this.#quit = true);
			default:
				return null;
		}
	}

	#action(name: string): Test {
		this.#acts = true;
		switch (name) {
			case '-print':
				return (file) => this.#print(`${file.shown}\n`);
			case '-print0':
				return (file) => this.#print(`${file.shown}\0`);
			case '-printf': {
				const format = this.#format();
				return (file) => this.#print(format(file));
			}
			case '-fprint':
			case '-fprint0':
			case '-fprintf': {
				const target = this.#take();
				this.#files.set(target, '');
				const end = name === '-fprint' ? '\n' : '\0';
				const text = name === '-fprintf' ? this.#format() : (file: Visited) => file.shown + end;
				return (file) => void this.#files.set(target, (this.#files.get(target) ?? '') + text(file)) === undefined;
			}
			case '-ls':
				return (file) =>
					this.#print(
						`${String(file.stat.inode).padStart(9)} ${String(Math.ceil(file.stat.size / 1024)).padStart(6)} ${modeText(file.stat)} ${String(file.stat.links).padStart(3)} user     user     ${String(file.stat.size).padStart(8)} ${file.shown}\n`
					);
			case '-delete':
				this.#deep = true;
				return (file) => this.#delete(file);
			case '-exec':
			case '-execdir':
				return this.#exec(name === '-execdir');
			case '-ok':
			case '-okdir': {
				this.#asks = true;
				const run = this.#exec(name === '-okdir');
				const program = this.#words.slice(0, this.#at).findLast((_word, index, words) => words[index - 1] === name);
				return async (file) => (await this.#confirms(`< ${program} ... ${file.shown} > ? `)) && run(file);
			}
			default:
				if (name.startsWith('-')) throw new UsageError(`unknown predicate \`${name}'`);
				throw new UsageError(`paths must precede expression: \`${name}'${this.#unquotedHint()}`);
		}
	}

	/** Parses the format of `-printf`, and warns about unknown escapes. */
	#format(): (file: Visited) => string {
		const format = this.#take();
		for (const escape of unknownEscapes(format)) this.#warnings.push(`warning: unrecognized escape \`${escape}'`);
		return (file) => formatted(format, file, this.#sync);
	}

	async #confirms(question: string): Promise<boolean> {
		await this.#out.flush();
		return isAnsweredYes(this.call, question);
	}

	async #delete(file: Visited): Promise<boolean> {
		const { sync } = this.call.shell.host.context;
		try {
			if (file.stat.kind === 'directory') {
				if (file.shown === '.') return true;
				sync.rmdir(file.path);
			} else sync.unlink(file.path);
			return true;
		} catch (error) {
			await this.call.complain(`cannot delete '${file.shown}': ${reason(error)}`);
			this.#status = 1;
			return false;
		}
	}

	#exec(inDirectory: boolean): Test {
		const words: string[] = [];
		for (let word = this.#take(); word !== ';'; word = this.#take()) {
			if (word === '+' && words.at(-1) === '{}') {
				const batch = { words: words.slice(0, -1), files: [] as string[], directory: null };
				this.#batches.push(batch);
				return (file) => batch.files.push(file.shown) > 0;
			}
			words.push(word);
		}
		return async (file) => {
			const shown = inDirectory ? `./${file.name}` : file.shown;
			const directory = inDirectory ? file.path.replace(/\/[^/]*$/, '') || '/' : null;
			return (
				(await this.#runWords(
					words.map((word) => word.replaceAll('{}', shown)),
					directory
				)) === 0
			);
		};
	}

	async #runBatch({
		words,
		files,
		directory
	}: {
		words: string[];
		files: string[];
		directory: string | null;
	}): Promise<void> {
		if (files.length && (await this.#runWords([...words, ...files], directory)) !== 0) this.#status = 1;
	}

	async #runWords(words: string[], directory: string | null): Promise<number> {
		await this.#out.flush();
		return runSubshell(this.call.shell, (inner) => {
			if (directory !== null) inner.cwd = directory;
			return runWords(inner, words, 'functions');
		});
	}
}
