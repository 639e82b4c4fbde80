import { isSyscallError } from '#computer/abi/client.ts';
import { Mode } from '#environment/mode.ts';
import { decode } from '../bytes.ts';
import type { GitObject, ObjectType } from '../objects/object.ts';
import { faultLevel, findFaults, rawEntries } from '../objects/object-faults.ts';
import { promisedIds } from './promised-objects.ts';
import { readLoose } from '../objects/read-loose.ts';
import type { Repository } from '../repository.ts';

/** Bits of the exit code for each kind of fault. */
export const FSCK_CODES = { object: 1, reachable: 2, pack: 4, refs: 8 };

/** Reference from one object to another. */
interface Link {
	id: string;
	type: ObjectType | null;
	/** Suffix that leads from the name of the object to the linked one. */
	step: string;
}

interface Known {
	type: ObjectType;
	links: readonly Link[];
}

interface FsckHow {
	isStrict: boolean;
	/** Does not check contents. */
	isConnectivityOnly: boolean;
	isNamed: boolean;
	showsRoots: boolean;
	showsTags: boolean;
}

export interface FsckOutput {
	out(text: string): void;
	err(text: string): void;
}

/** Checks all objects of a repository, and their reachability. */
export class FsckObjects {
	code = 0;
	readonly #known = new Map<string, Known>();
	readonly #broken = new Set<string>();
	readonly #reached = new Set<string>();
	readonly #missing = new Map<string, ObjectType | null>();
	readonly #names = new Map<string, string>();
	readonly #special = new Map<string, 'gitmodules' | 'gitattributes'>();
	readonly #promised: ReadonlySet<string>;

	constructor(
		private readonly repository: Repository,
		private readonly output: FsckOutput,
		private readonly how: FsckHow
	) {
		this.#promised = promisedIds(repository);
	}

	/** Returns whether a promisor remote has an object and everything that it refers to. */
	isPromised(id: string): boolean {
		return this.#promised.has(id);
	}

	/** Reads all objects, loose ones first. */
	check(): void {
		const { objects } = this.repository;
		const loose = new Set(objects.looseIds());
		for (const id of loose) this.#checkLoose(id);
		for (const id of objects.ids()) if (!loose.has(id)) this.#note(id, this.#find(id));
		if (this.how.isConnectivityOnly) return;
		for (const [id, special] of this.#special) {
			const found = this.#known.has(id) ? this.#find(id) : null;
			if (found) this.#checkContent(id, found, special);
		}
	}

	/** Path of an object file as shown in messages. */
	#shownPath(id: string): string {
		const { root, objects, isBare, gitDir } = this.repository;
		const path = objects.loosePath(id);
		if (isBare && path.startsWith(`${gitDir}/`)) return `./${path.slice(gitDir.length + 1)}`;
		return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
	}

	#checkLoose(id: string): void {
		const { objects, files } = this.repository;
		const { object, faults } = readLoose(id, files.readFile(objects.loosePath(id)), this.#shownPath(id));
		if (object) return this.#note(id, object);
		if (this.how.isConnectivityOnly && this.#isReadable(id)) return this.#note(id, this.#find(id));
		for (const fault of faults) this.output.err(`error: ${fault}\n`);
		this.code |= FSCK_CODES.object;
		this.#broken.add(id);
	}

	#isReadable(id: string): boolean {
		try {
			return this.repository.objects.find(id) !== null;
		} catch (error) {
			if (isSyscallError(error)) throw error;
			return false;
		}
	}

	#find(id: string): GitObject | null {
		try {
			return this.repository.objects.find(id);
		} catch (error) {
			if (isSyscallError(error)) throw error;
			this.output.err(`error: ${id}: object corrupt or missing\n`);
			this.code |= FSCK_CODES.object;
			this.#broken.add(id);
			return null;
		}
	}

	#note(id: string, object: GitObject | null): void {
		if (!object) return;
		const links = this.#linksOf(id, object);
		if (!links) return;
		this.#known.set(id, { type: object.type, links });
		if (this.how.isConnectivityOnly) return;
		this.#checkContent(id, object, undefined);
		if (this.how.showsRoots && object.type === 'commit' && !links.some(({ type }) => type === 'commit'))
			this.output.out(`root ${id}\n`);
		if (this.how.showsTags && object.type === 'tag' && links[0])
			this.output.out(`tagged ${links[0].type ?? 'unknown'} ${links[0].id} (${tagName(object.content)}) in ${id}\n`);
	}

	#checkContent(id: string, { type, content }: GitObject, special: 'gitmodules' | 'gitattributes' | undefined): void {
		const { config } = this.repository;
		const { isStrict } = this.how;
		const report = (kind: string, text: string): boolean => {
			const level = faultLevel(kind, isStrict, (name) => config.get(`fsck.${name}`));
			if (level === 'ignore') return false;
			const isError = level === 'error';
			if (isError) this.code |= FSCK_CODES.object;
			this.output.err(`${isError ? 'error' : 'warning'} in ${type} ${this.#described(id)}: ${kind}: ${text}\n`);
			return isError;
		};
		findFaults(type, content, report, { isStrict, special });
	}

	/** Objects that an object refers to; null if it cannot be parsed. */
	#linksOf(id: string, { type, content }: GitObject): Link[] | null {
		if (type === 'blob') return [];
		if (type === 'tag') {
			const [, tagged, kind] = /^object ([0-9a-f]{40})\ntype (commit|tree|blob|tag)\n/.exec(decode(content)) ?? [];
			return tagged === undefined ? [] : [{ id: tagged, type: kind as ObjectType, step: '' }];
		}
		if (type === 'commit') return this.#linksOfCommit(id, content);
		const entries = rawEntries(content);
		if (!entries) {
			const hasEmptyName = /[0-7]{5,6} \0/.test(decode(content));
			this.output.err(`error: ${hasEmptyName ? 'empty filename in tree entry' : 'malformed tree object'}\n`);
			this.output.err(`error in tree ${id}: badTree: cannot be parsed as a tree\n`);
			this.output.err(`error: ${id}: object could not be parsed: ${this.#shownPath(id)}\n`);
			this.code |= FSCK_CODES.object;
			this.#broken.add(id);
			return null;
		}
		return entries.flatMap(({ mode, name, id: part }): Link[] => {
			const bits = Number.parseInt(mode, 8);
			if (bits === Mode.commit) return [];
			if (bits !== Mode.symlink && name.toLowerCase() === '.gitmodules') this.#special.set(part, 'gitmodules');
			const isTree = bits === Mode.directory;
			return [{ id: part, type: isTree ? 'tree' : 'blob', step: isTree ? `${name}/` : name }];
		});
	}

	#linksOfCommit(id: string, content: Uint8Array): Link[] {
		const text = decode(content);
		const head = text.slice(0, Math.max(0, text.indexOf('\n\n')) || undefined);
		const tree = /^tree ([0-9a-f]{40})$/m.exec(head)?.[1];
		const parents = this.repository.shallowCommits().has(id)
			? []
			: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, parent = '']) => parent);
		return [
			...(tree === undefined ? [] : [{ id: tree, type: 'tree' as const, step: ':' }]),
			...parents.map((parent, i): Link => ({ id: parent, type: 'commit', step: i === 0 ? '^' : `^${i + 1}` }))
		];
	}

	has(id: string): boolean {
		return this.#known.has(id);
	}

	typeOf(id: string): ObjectType | null {
		return this.#known.get(id)?.type ?? null;
	}

	/** Records a starting point, and follows its links. */
	reach(start: string, name: string, expected: ObjectType | null = null): void {
		if (!this.#names.has(start)) this.#names.set(start, name);
		const left: string[] = [];
		const meet = (id: string, type: ObjectType | null): void => {
			if (this.#reached.has(id)) return;
			this.#reached.add(id);
			if (this.#promised.has(id)) return;
			if (this.#known.has(id)) left.push(id);
			else this.#missing.set(id, type);
		};
		meet(start, expected);
		for (let id = left.pop(); id !== undefined; id = left.pop()) {
			const { type, links } = this.#known.get(id)!;
			for (const link of links) {
				this.#nameLink(id, link);
				const known = this.#known.get(link.id);
				if (known && link.type !== null && known.type !== link.type) {
					this.output.err(`error: object ${link.id} is a ${known.type}, not a ${link.type}\n`);
					this.output.err(`error in ${type} ${this.#described(id)}: broken links\n`);
					this.code |= FSCK_CODES.object;
				}
				const isExpected = this.#reached.has(link.id) || this.#broken.has(link.id) || this.#promised.has(link.id);
				if (!known && !isExpected) {
					this.output.out(
						`broken link from ${type.padStart(7)} ${this.#described(id)}\n` +
							`              to ${(link.type ?? 'unknown').padStart(7)} ${this.#described(link.id)}\n`
					);
					this.code |= FSCK_CODES.reachable;
				}
				meet(link.id, link.type);
			}
		}
	}

	#nameLink(from: string, { id, step }: Link): void {
		const name = this.#names.get(from);
		if (!this.how.isNamed || name === undefined || this.#names.has(id)) return;
		const [, base = name, back] = /^(.*?)(?:\^|~(\d+))$/.exec(name) ?? [];
		const isAgain = step === '^' && base !== name;
		this.#names.set(id, isAgain ? `${base}~${Number(back ?? 1) + 1}` : name + step);
	}

	#described(id: string): string {
		const name = this.how.isNamed ? this.#names.get(id) : undefined;
		return name === undefined ? id : `${id} (${name})`;
	}

	/** Prints objects that are referenced but missing. */
	printMissing(): void {
		for (const [id, type] of this.#missing) {
			this.output.out(`missing ${type ?? 'unknown'} ${this.#described(id)}\n`);
			this.code |= FSCK_CODES.reachable;
		}
	}

	/**
	 * Objects that are not reachable from any starting point: all of them, and those that no object refers to (dangling).
	 */
	unreachable(): { all: { id: string; type: ObjectType }[]; dangling: { id: string; type: ObjectType }[] } {
		const all = [...this.#known].filter(([id]) => !this.#reached.has(id)).map(([id, { type }]) => ({ id, type }));
		// Links of a promisor object are not followed, although it may be reachable.
		const isFollowed = (id: string) => this.#reached.has(id) && !this.#promised.has(id);
		const used = new Set(
			[...this.#known].flatMap(([id, { links }]) => (isFollowed(id) ? [] : links.map((link) => link.id)))
		);
		return { all, dangling: all.filter(({ id }) => !used.has(id)) };
	}
}

const tagName = (content: Uint8Array): string => /^tag (.*)$/m.exec(decode(content))?.[1] ?? '';
