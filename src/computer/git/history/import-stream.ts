import { comparePaths, concat, decode, encode } from '../bytes.ts';
import { binaryText } from '../diff/lines.ts';
import { fatal } from '../errors.ts';
import { buildTrees } from '../index/write-tree.ts';
import { newEntry } from '../index/index-file.ts';
import { NULL_ID } from '../objects/object.ts';
import { peel, findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { unquotePath } from '../unquote-path.ts';

const MODES: Readonly<Record<string, number>> = {
	...{ '644': 0o100644, '100644': 0o100644, '755': 0o100755, '100755': 0o100755 },
	...{ '120000': 0o120000, '160000': 0o160000, '040000': 0o040000 }
};

/** State of a branch while it is imported. */
interface Branch {
	/** Last commit; null before the first. */
	tip: string | null;
	files: Map<string, TreeFile>;
}

/** Reads a stream of git-fast-import(1): blobs, commits, tags and the new values of refs. */
export class ImportStream {
	#at = 0;
	readonly #marks = new Map<string, string>();
	readonly #branches = new Map<string, Branch>();
	readonly #tags = new Map<string, string>();
	#isDone = false;

	constructor(
		private readonly repository: Repository,
		private readonly bytes: Uint8Array,
		private readonly report: (text: string) => void
	) {}

	/** @param needsDone requires `done` at the end of the stream @throws GitError for an unknown command */
	run(needsDone: boolean): void {
		for (let line = this.#line(); line !== null && !this.#isDone; line = this.#line()) this.#command(line);
		if (needsDone && !this.#isDone) throw fatal("stream ends early: missing 'done' command");
	}

	/** Refs with their new objects. */
	*results(): Generator<[ref: string, id: string]> {
		for (const [ref, { tip }] of this.#branches) if (tip !== null) yield [ref, tip];
		yield* this.#tags;
	}

	get marks(): ReadonlyMap<string, string> {
		return this.#marks;
	}

	/** Adds a mark of another import. */
	addMark(mark: string, id: string): void {
		this.#marks.set(mark, id);
	}

	#command(line: string): void {
		const [word = '', rest = ''] = split(line);
		if (line === 'blob') this.#blob();
		else if (word === 'commit') this.#commit(rest);
		else if (word === 'tag') this.#tag(rest);
		else if (word === 'reset') this.#reset(rest);
		else if (word === 'progress') this.report(`${line}\n`);
		else if (line === 'done' || line === 'feature done') this.#isDone = line === 'done';
		// Objects are written immediately: there is nothing to do at a checkpoint.
		else if (line !== '' && line !== 'checkpoint' && !line.startsWith('#')) throw fatal(`Unsupported command: ${line}`);
	}

	#blob(): void {
		const mark = this.#value('mark ');
		this.#value('original-oid ');
		const id = this.repository.objects.write('blob', this.#data());
		if (mark !== null) this.#marks.set(mark, id);
	}

	#commit(ref: string): void {
		const branch = this.#branch(ref);
		const mark = this.#value('mark ');
		this.#value('original-oid ');
		const author = this.#value('author ');
		const committer = this.#value('committer ');
		if (committer === null) throw fatal("Expected committer but didn't get one");
		const encoding = this.#value('encoding ');
		const message = this.#data();
		const from = this.#value('from ');
		if (from !== null) this.#start(branch, from);
		const parents = branch.tip === null ? [] : [branch.tip];
		for (let merged = this.#value('merge '); merged !== null; merged = this.#value('merge '))
			parents.push(this.#commitId(merged));
		for (let line = this.#peek(); line !== null && CHANGE.test(line); line = this.#peek()) {
			this.#line();
			this.#change(branch.files, line);
		}
		const entries = [...branch.files]
			.sort(([a], [b]) => comparePaths(a, b))
			.map(([path, file]) => newEntry(path, file));
		const { id: tree } = buildTrees(entries, (content) => this.repository.objects.write('tree', content));
		const head = [
			`tree ${tree}`,
			...parents.map((parent) => `parent ${parent}`),
			...[`author ${author ?? committer}`, `committer ${committer}`],
			...(encoding === null ? [] : [`encoding ${encoding}`])
		];
		branch.tip = this.repository.objects.write('commit', concat([encode(`${head.join('\n')}\n\n`), message]));
		if (mark !== null) this.#marks.set(mark, branch.tip);
	}

	#change(files: Map<string, TreeFile>, line: string): void {
		const [kind = '', rest = ''] = split(line);
		if (line === 'deleteall') files.clear();
		else if (kind === 'D') removeAt(files, pathOf(rest));
		else if (kind === 'C' || kind === 'R') {
			const [from, to] = twoPaths(rest);
			const moved = [...files].filter(([path]) => path === from || path.startsWith(`${from}/`));
			if (moved.length === 0) throw fatal(`Path ${from} not in branch`);
			if (kind === 'R') removeAt(files, from);
			removeAt(files, to);
			for (const [path, file] of moved) files.set(to + path.slice(from.length), file);
		} else this.#modify(files, rest);
	}

	#modify(files: Map<string, TreeFile>, text: string): void {
		const [, digits = '', name = '', rest = ''] = /^(\d+) (\S+) (.*)$/s.exec(text) ?? [];
		const mode = MODES[digits];
		if (mode === undefined) throw fatal(`Corrupt mode: M ${text}`);
		const path = pathOf(rest);
		const id = name === 'inline' ? this.repository.objects.write('blob', this.#data()) : this.#objectId(name);
		removeAt(files, path);
		// A file replaces a directory, and vice versa.
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
			files.delete(path.slice(0, end));
		if (mode !== 0o040000) files.set(path, { mode, id });
		else
			for (const [below, file] of treeFiles(this.repository.objects, id))
				files.set(path === '' ? below : `${path}/${below}`, file);
	}

	#tag(name: string): void {
		const mark = this.#value('mark ');
		const target = this.#objectId(this.#value('from ') ?? '');
		this.#value('original-oid ');
		const tagger = this.#value('tagger ');
		const type = this.repository.objects.find(target)?.type ?? 'commit';
		const head = `object ${target}\ntype ${type}\ntag ${name}\n${tagger === null ? '' : `tagger ${tagger}\n`}\n`;
		const id = this.repository.objects.write('tag', concat([encode(head), this.#data()]));
		this.#tags.set(`refs/tags/${name}`, id);
		if (mark !== null) this.#marks.set(mark, id);
	}

	#reset(ref: string): void {
		const branch = this.#branch(ref);
		branch.tip = null;
		branch.files = new Map();
		const from = this.#value('from ');
		if (from !== null) this.#start(branch, from);
	}

	#start(branch: Branch, from: string): void {
		if (from === NULL_ID) {
			branch.tip = null;
			branch.files = new Map();
			return;
		}
		const id = this.#commitId(from);
		if (id === branch.tip) return;
		branch.tip = id;
		branch.files = treeFiles(this.repository.objects, this.repository.commit(id).tree);
	}

	/** Imported branch of a ref. It starts empty: an existing ref is its parent only if the stream has a `from`. */
	#branch(ref: string): Branch {
		let branch = this.#branches.get(ref);
		if (!branch) this.#branches.set(ref, (branch = { tip: null, files: new Map() }));
		return branch;
	}

	#commitId(name: string): string {
		const id = this.#objectId(name);
		const commit = peel(this.repository, id, 'commit');
		if (commit === null) throw fatal(`Not a commit: ${name}`);
		return commit;
	}

	#objectId(name: string): string {
		const known = name.startsWith(':') ? this.#marks.get(name) : this.#tip(name);
		const id = known ?? (name.startsWith(':') ? null : findRevision(this.repository, name));
		if (id === null)
			throw fatal(name.startsWith(':') ? `mark ${name} not declared` : `Invalid ref name or SHA1 expression: ${name}`);
		return id;
	}

	/** Tip of an imported branch; also for `main^0` and `main~1`. */
	#tip(name: string): string | null {
		const [, base = name, back] = /^(.*?)(?:\^0|~(\d+))?$/s.exec(name) ?? [];
		let id = this.#branches.get(base)?.tip ?? null;
		for (let left = Number(back ?? 0); left > 0 && id !== null; left--) id = this.repository.parents(id)[0] ?? null;
		return id;
	}

	/** Content after `data`, given by its length or by an end line. */
	#data(): Uint8Array {
		const line = this.#line() ?? '';
		const length = /^data (\d+)$/.exec(line)?.[1];
		const end = /^data <<(.+)$/.exec(line)?.[1];
		if (length !== undefined) {
			const content = this.bytes.slice(this.#at, this.#at + Number(length));
			if (content.length < Number(length)) throw fatal('EOF in data');
			this.#at += content.length;
			if (this.bytes[this.#at] === 0x0a) this.#at++;
			return content;
		}
		if (end === undefined) throw fatal(`Expected 'data n' command, found: ${line}`);
		const start = this.#at;
		for (let next = this.#line(); next !== end; next = this.#line())
			if (next === null) throw fatal(`EOF in data (terminator '${end}' not found)`);
		const content = this.bytes.slice(start, this.#at - encode(end).length - 1);
		if (this.bytes[this.#at] === 0x0a) this.#at++;
		return content;
	}

	/** Rest of the next line if it starts with `start`; otherwise null. */
	#value(start: string): string | null {
		if (this.#peek()?.startsWith(start) !== true) return null;
		return this.#line()!.slice(start.length);
	}

	#peek(): string | null {
		const at = this.#at;
		const line = this.#line();
		this.#at = at;
		return line;
	}

	#line(): string | null {
		if (this.#at >= this.bytes.length) return null;
		const end = this.bytes.indexOf(0x0a, this.#at);
		const line = decode(this.bytes.subarray(this.#at, end < 0 ? undefined : end));
		this.#at = end < 0 ? this.bytes.length : end + 1;
		return line;
	}
}

const CHANGE = /^(?:[MDCR] |deleteall$)/;

function split(line: string): [word: string, rest: string] {
	const space = line.indexOf(' ');
	return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

const pathOf = (text: string): string => (text.startsWith('"') ? unquotePath(binaryText(encode(text))) : text);

/** Splits two paths; the first is quoted if it contains a space. */
function twoPaths(text: string): [from: string, to: string] {
	const [, from = '', to = ''] = /^("(?:[^"\\]|\\.)*"|\S+) (.*)$/s.exec(text) ?? [];
	return [pathOf(from), pathOf(to)];
}

function removeAt(files: Map<string, TreeFile>, path: string): void {
	for (const name of [...files.keys()])
		if (name === path || path === '' || name.startsWith(`${path}/`)) files.delete(name);
}
