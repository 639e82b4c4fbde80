import type { Visited } from './visited.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { runWords } from '#computer/shell/execution/run-words.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { TextOutput } from '../input/text-output.ts';
import { UsageError } from '../options.ts';
import { posixPattern } from '../text/posix-pattern.ts';
import { formatted } from './find-format.ts';
import { changedMode, modeText } from './modes.ts';

/** A test or action; false ends an `and`. */
type Test = (file: Visited) => boolean | Promise<boolean>;

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
	#acts = false;
	#pruned = false;
	#quit = false;
	#batches: { words: string[]; files: string[]; directory: string | null }[] = [];
	#out: TextOutput;
	#now = Date.now();

	constructor(private readonly call: Call) {
		this.#words = [...call.args];
		this.#out = new TextOutput(call);
	}

	async run(): Promise<number> {
		while (/^-[LHP]$/.test(this.#words[0] ?? '')) this.#follow = this.#words.shift() === '-L';
		const starts: string[] = [];
		while (this.#words.length && !STARTS_EXPRESSION.test(this.#words[0] ?? '')) starts.push(this.#words.shift() ?? '');
		let test: Test = this.#words.length ? this.#or() : () => true;
		if (this.#at < this.#words.length)
			throw new UsageError(`paths must precede expression: \`${this.#words[this.#at]}'`);
		if (!this.#acts) {
			const condition = test;
			test = async (file) => (await condition(file)) && this.#print(`${file.shown}\n`);
		}
		for (const start of starts.length ? starts : ['.']) {
			const path = this.call.shell.path(start);
			const stat = this.#stat(path);
			if (stat) {
				const name = start.replace(/\/+$/, '').split('/').at(-1) || start;
				await this.#visit({ shown: start, path, relative: '', start, name, depth: 0, stat }, test);
			} else {
				await this.#out.flush();
				await this.call.complain(`'${start}': No such file or directory`);
				this.#status = 1;
			}
		}
		for (const batch of this.#batches) await this.#runBatch(batch);
		await this.#out.flush();
		return this.#status;
	}

	#stat(path: string): WireStat | null {
		const { sync } = this.call.shell.host.context;
		try {
			return (this.#follow ? sync.statOrNull(path) : null) ?? sync.lstat(path);
		} catch {
			// Gone meanwhile, or a way through something that is no directory.
			return null;
		}
	}

	async #visit(file: Visited, test: Test): Promise<void> {
		await this.call.shell.control.yieldIfDue();
		this.#pruned = false;
		const wanted = file.depth >= this.#minimum;
		if (wanted && !this.#deep) await test(file);
		if (this.#quit) return;
		if (file.stat.kind === 'directory' && file.depth < this.#maximum && !this.#pruned) {
			for (const { name } of this.call.shell.host.context.sync.readdir(file.path)) {
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

	#or(): Test {
		let left = this.#and();
		while (this.#accept('-o', '-or')) {
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
			if (!explicit && (next === undefined || next === ')' || next === '-o' || next === '-or')) return left;
			const [first, second] = [left, this.#not()];
			left = async (file) => (await first(file)) && second(file);
		}
	}

	#not(): Test {
		if (this.#accept('!', '-not')) {
			const inner = this.#not();
			return async (file) => !(await inner(file));
		}
		if (this.#accept('(')) {
			const inner = this.#or();
			if (!this.#accept(')')) throw new UsageError("invalid expression; I was expecting to find a ')' somewhere");
			return inner;
		}
		return this.#primary();
	}

	/** `+5` more than, `-5` less than, `5` exactly. */
	#compared(text: string): (value: number) => boolean {
		const match = /^([-+]?)(\d+(?:\.\d+)?)$/.exec(text);
		if (!match) throw new UsageError(`invalid argument \`${text}'`);
		const count = Number(match[2]);
		return match[1] === '+'
			? (value) => value > count
			: match[1] === '-'
				? (value) => value < count
				: (value) => value === count;
	}

	#primary(): Test {
		const name = this.#take();
		return (
			this.#nameTest(name) ?? this.#statTest(name) ?? this.#timeTest(name) ?? this.#option(name) ?? this.#action(name)
		);
	}

	/** Tests of names and paths. Null for a word that is none. */
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
				return ({ stat, path }) =>
					stat.kind === 'symlink' && pattern.test(this.call.shell.host.context.sync.readlink(path));
			}
			case '-regextype':
				this.#take();
				return () => true;
			case '-regex':
			case '-iregex': {
				const extended = this.#words.includes('-regextype');
				const pattern = posixPattern(this.#take(), { extended, ignoreCase: name === '-iregex' });
				const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags);
				return (file) => whole.test(file.shown);
			}
			default:
				return null;
		}
	}

	/** Tests of what `stat` knows, but for times. Null for a word that is none. */
	#statTest(name: string): Test | null {
		switch (name) {
			case '-type':
			case '-xtype': {
				const kinds = this.#take()
					.split(',')
					.map((letter) => {
						const kind = { f: 'file', d: 'directory', l: 'symlink' }[letter];
						if (!kind && !/^[bcpsD]$/.test(letter)) throw new UsageError(`Unknown argument to -type: ${letter}`);
						return kind;
					});
				return ({ stat }) => kinds.includes(stat.kind);
			}
			case '-size': {
				const match = /^([-+]?)(\d+)([bcwkMG]?)$/.exec(this.#take());
				if (!match) throw new UsageError("invalid argument to `-size'");
				const unit = { c: 1, w: 2, k: 1024, M: 1_048_576, G: 1_073_741_824 }[match[3] ?? ''] ?? 512;
				const compare = this.#compared(`${match[1]}${match[2]}`);
				return ({ stat }) => compare(Math.ceil(stat.size / unit));
			}
			case '-empty':
				return ({ stat, path }) =>
					stat.kind === 'directory'
						? this.call.shell.host.context.sync.readdir(path).length === 0
						: stat.kind === 'file' && stat.size === 0;
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
				const compare = this.#compared(this.#take());
				return ({ stat }) => compare(stat.links);
			}
			case '-inum': {
				const compare = this.#compared(this.#take());
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

	/** Tests of times. Null for a word that is none. */
	#timeTest(name: string): Test | null {
		const age = (unitMs: number): Test => {
			const compare = this.#compared(this.#take());
			return ({ stat }) => compare(Math.floor((this.#now - stat.modifiedMs) / unitMs));
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
				return (file) => file.stat.modifiedMs > stat.modifiedMs;
			}
			case '-newermt': {
				const time = Date.parse(this.#take());
				return ({ stat }) => stat.modifiedMs > time;
			}
			default:
				return null;
		}
	}

	/** Words that set something for the whole walk, or hold for every file. Null for a word that is none. */
	#option(name: string): Test | null {
		switch (name) {
			case '-readable':
			case '-writable':
			case '-true':
			case '-noleaf':
			case '-mount':
			case '-xdev':
			case '-daystart':
				return () => true;
			case '-false':
				return () => false;
			case '-user':
			case '-group':
				this.#take();
				return () => true;
			case '-maxdepth':
				this.#maximum = Number(this.#take());
				return () => true;
			case '-mindepth':
				this.#minimum = Number(this.#take());
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
				const format = this.#take();
				return (file) =>
					this.#print(formatted(format, file, (path) => this.call.shell.host.context.sync.readlink(path)));
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
			case '-ok':
				return this.#exec(name === '-execdir');
			default:
				throw new UsageError(`unknown predicate \`${name}'`);
		}
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
