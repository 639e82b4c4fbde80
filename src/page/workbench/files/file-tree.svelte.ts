import type { DirEntry, ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

/** One visible line of the tree. */
export interface TreeRow {
	/** Relative to the working directory. */
	path: string;
	name: string;
	/** 0 at the top. */
	depth: number;
	/** `more`: represents the remaining entries of a very large folder. */
	kind: DirEntry['kind'] | 'more';
	expanded: boolean;
}

/** Entries of a folder shown at first, and added each time the user asks for more. */
const SHOWN = 500;
/** Entries up to which a folder is sorted by locale: beyond that, sorting is noticeably slow. */
const SORTED = 2_000;
/** Top-level folders that are initially open. */
const OPENED = ['src', 'test', 'lib'];
/** A build writes many files at once; the tree is refreshed at most at this interval. */
const REST_MS = 80;

/** Tree of the project's open folders, updated from the write journal. */
export class FileTree {
	rows: readonly TreeRow[] = $state.raw([]);
	loading = $state(true);
	#listed = new Map<string, DirEntry[]>();
	#expanded = new Set<string>();
	#stale = new Set<string>();
	/** Folder → number of entries shown, if the user has asked for more. */
	#shown = new Map<string, number>();
	/** Always visible, regardless of its position in the folder. */
	#revealed = '';
	#refreshedMs = 0;
	#timer: ReturnType<typeof setTimeout> | null = null;
	#leave: () => void;

	constructor(private readonly environment: ExecutionEnvironment) {
		const root = `${environment.workingDirectory()}/`;
		this.#leave = environment.onChange((change) => {
			for (const path of [change.path, change.to]) {
				if (path?.startsWith(root)) this.#markStale(parentOf(path.slice(root.length)));
			}
		});
	}

	async start(): Promise<void> {
		await this.#list('');
		this.loading = false;
		// A project with a single folder starts with it open. Decided before any row is shown, so that it undoes no click.
		const opened = OPENED.filter((name) =>
			this.#listed.get('')?.some((entry) => entry.path === name && entry.kind === 'directory')
		);
		for (const name of opened) this.#expanded.add(name);
		this.#flatten();
		for (const name of opened) await this.#list(name);
		this.#flatten();
	}

	leave(): void {
		this.#leave();
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#listed.clear();
		this.#stale.clear();
	}

	async expand(path: string): Promise<void> {
		this.#expanded.add(path);
		await this.#list(path);
		this.#flatten();
	}

	collapse(path: string): void {
		this.#expanded.delete(path);
		this.#flatten();
	}

	/** Shows more entries of the folder that a `more` row belongs to. */
	showMore({ path }: TreeRow): void {
		const folder = path.slice(0, -1);
		this.#shown.set(folder, (this.#shown.get(folder) ?? SHOWN) + SHOWN);
		this.#flatten();
	}

	/** Opens every folder above a file. */
	async reveal(path: string): Promise<void> {
		this.#revealed = path;
		const parts = path.split('/').slice(0, -1);
		// A folder created a moment ago is in no listing yet; those below it are listed when they are opened.
		if (parts[0] !== undefined && !this.#listed.get('')?.some((entry) => entry.path === parts[0])) await this.#list('');
		for (let depth = 1; depth <= parts.length; depth += 1) await this.expand(parts.slice(0, depth).join('/'));
	}

	#markStale(folder: string): void {
		if (!this.#listed.has(folder)) return;
		this.#stale.add(folder);
		// Waits as long as the last refresh took.
		this.#timer ??= setTimeout(() => void this.#refresh(), Math.max(REST_MS, this.#refreshedMs));
	}

	async #refresh(): Promise<void> {
		const fromMs = performance.now();
		const folders = [...this.#stale];
		this.#stale.clear();
		try {
			for (const folder of folders) await this.#list(folder);
			this.#flatten();
		} finally {
			this.#refreshedMs = performance.now() - fromMs;
			this.#timer = null;
			// A path that changed meanwhile has not been read again.
			const [late] = this.#stale;
			if (late !== undefined) this.#markStale(late);
		}
	}

	async #list(folder: string): Promise<void> {
		try {
			const entries = await this.environment.listDirectory(folder === '' ? '.' : folder, 1);
			const order = entries.length > SORTED ? foldersFirst(inPlainOrder) : foldersFirst(numbers.compare);
			this.#listed.set(folder, entries.filter(({ path }) => path !== '.git').sort(order));
		} catch (error) {
			if (!isEnvironmentError(error)) throw error;
			this.#listed.delete(folder);
			this.#expanded.delete(folder);
		}
	}

	/** Entry of a folder that is or contains the revealed path. */
	#revealedOf(folder: string, entries: readonly DirEntry[]): DirEntry[] {
		const start = folder === '' ? '' : `${folder}/`;
		if (!this.#revealed.startsWith(start)) return [];
		const [name] = this.#revealed.slice(start.length).split('/');
		const found = entries.find(({ path }) => path === name);
		return found ? [found] : [];
	}

	#flatten(): void {
		const rows: TreeRow[] = [];
		const visit = (folder: string, depth: number): void => {
			const all = this.#listed.get(folder) ?? [];
			const shown = all.slice(0, this.#shown.get(folder) ?? SHOWN);
			if (shown.length < all.length)
				shown.push(...this.#revealedOf(folder, all).filter((entry) => !shown.includes(entry)));
			const left = all.length - shown.length;
			for (const entry of shown) {
				const path = folder === '' ? entry.path : `${folder}/${entry.path}`;
				const expanded = entry.kind === 'directory' && this.#expanded.has(path);
				rows.push({ path, name: entry.path, depth, kind: entry.kind, expanded });
				if (expanded) visit(path, depth + 1);
			}
			if (left > 0) rows.push({ path: `${folder}/`, name: String(left), depth, kind: 'more', expanded: false });
		};
		visit('', 0);
		this.rows = rows;
	}
}

function parentOf(path: string): string {
	const slash = path.lastIndexOf('/');
	return slash < 0 ? '' : path.slice(0, slash);
}

const numbers = new Intl.Collator('en', { numeric: true });
const inPlainOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function foldersFirst(order: (a: string, b: string) => number): (a: DirEntry, b: DirEntry) => number {
	return (a, b) => Number(b.kind === 'directory') - Number(a.kind === 'directory') || order(a.path, b.path);
}
