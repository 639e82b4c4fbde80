import type { DirEntry, ExecutionEnvironment } from '../../../environment/contract.ts';
import { isEnvironmentError } from '../../../environment/errors.ts';

/** One visible line of the tree. */
export interface TreeRow {
	/** Relative to the working directory. */
	path: string;
	name: string;
	/** 0 at the top. */
	depth: number;
	kind: DirEntry['kind'];
	expanded: boolean;
}

/** The project's folders as far as they are opened, kept up with the write journal. */
export class FileTree {
	rows: readonly TreeRow[] = $state.raw([]);
	loading = $state(true);
	#listed = new Map<string, DirEntry[]>();
	#expanded = new Set<string>();
	#stale = new Set<string>();
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
		// A project of one folder is of no use closed.
		for (const name of ['src', 'test', 'lib']) {
			if (this.#listed.get('')?.some((entry) => entry.path === name && entry.kind === 'directory')) {
				await this.expand(name);
			}
		}
		this.#flatten();
	}

	leave(): void {
		this.#leave();
		if (this.#timer !== null) clearTimeout(this.#timer);
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

	/** Opens every folder above a file. */
	async reveal(path: string): Promise<void> {
		const parts = path.split('/').slice(0, -1);
		for (let depth = 1; depth <= parts.length; depth += 1) await this.expand(parts.slice(0, depth).join('/'));
	}

	#markStale(folder: string): void {
		if (!this.#listed.has(folder)) return;
		this.#stale.add(folder);
		// A build writes many files at once; the tree follows at a reader's pace.
		this.#timer ??= setTimeout(() => {
			this.#timer = null;
			void this.#refresh();
		}, 80);
	}

	async #refresh(): Promise<void> {
		const folders = [...this.#stale];
		this.#stale.clear();
		for (const folder of folders) await this.#list(folder);
		this.#flatten();
	}

	async #list(folder: string): Promise<void> {
		try {
			const entries = await this.environment.listDirectory(folder === '' ? '.' : folder, 1);
			this.#listed.set(folder, entries.filter(({ path }) => path !== '.git').sort(foldersFirst));
		} catch (error) {
			if (!isEnvironmentError(error)) throw error;
			this.#listed.delete(folder);
			this.#expanded.delete(folder);
		}
	}

	#flatten(): void {
		const rows: TreeRow[] = [];
		const visit = (folder: string, depth: number): void => {
			for (const entry of this.#listed.get(folder) ?? []) {
				const path = folder === '' ? entry.path : `${folder}/${entry.path}`;
				const expanded = entry.kind === 'directory' && this.#expanded.has(path);
				rows.push({ path, name: entry.path, depth, kind: entry.kind, expanded });
				if (expanded) visit(path, depth + 1);
			}
		};
		visit('', 0);
		this.rows = rows;
	}
}

function parentOf(path: string): string {
	const slash = path.lastIndexOf('/');
	return slash < 0 ? '' : path.slice(0, slash);
}

function foldersFirst(a: DirEntry, b: DirEntry): number {
	const rank = Number(b.kind === 'directory') - Number(a.kind === 'directory');
	return rank !== 0 ? rank : a.path.localeCompare(b.path, 'en', { numeric: true });
}
