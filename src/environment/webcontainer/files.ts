import * as z from 'zod/mini';
import type { DirEntry, FileStat, LoadEntry, LoadOptions } from '../contract.ts';
import { checkedEntries } from '../entry-path.ts';
import { EnvironmentError } from '../errors.ts';
import { gitMode, type TreeEntry } from '../tree/entry.ts';
import type { Journal } from '../tree/journal.ts';
import { inBatches } from '../tree/batches.ts';
import { Changed, Entries, Found, Made, Placed, Renamed } from './answers.ts';
import { toAbsolute, type PathRules } from './layout.ts';
import type { BootedContainer } from './booted-container.ts';
import { Mode } from '../mode.ts';

/** Entry to write. Without a mode, that of the replaced file is used. */
type Content = Omit<LoadEntry, 'mode'> & { mode?: number };

const isLink = ({ mode = 0 }: Content): boolean => (mode & 0o170000) === Mode.symlink;

/** File methods of the contract on a container's files. Paths are as callers give them. */
export class ContainerFiles {
	/** Runs mutations and scans one after another, so that a scan never sees half of a write. */
	#queue: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly booted: BootedContainer,
		readonly rules: PathRules,
		private readonly journal: Journal
	) {}

	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.#queue.then(work, work);
		this.#queue = turn.catch(() => undefined);
		return turn;
	}

	async readBytes(path: string): Promise<Uint8Array> {
		const { directory: start } = this.booted;
		const spare = this.booted.spare();
		const real = await this.#ask('open', path, z.string(), { start, spare });
		const bytes = await this.booted.read(real);
		if (real === spare) await this.booted.discard(spare);
		return bytes;
	}

	write(path: string, bytes: Uint8Array): Promise<void> {
		return this.#write([{ path, bytes }]);
	}

	async load(entries: AsyncIterable<LoadEntry>, options: LoadOptions = {}): Promise<void> {
		const root = toAbsolute(this.rules, options.root ?? '').replace(/\/+$/, '');
		for await (const batch of inBatches(checkedEntries(entries, options)))
			await this.#write(batch.map((entry) => ({ ...entry, path: `${root}/${entry.path}` })));
	}

	exists(path: string): Promise<boolean> {
		return this.#ask('exists', path, z.boolean());
	}

	/** Resolves a path to its real path and the entry there. */
	find(path: string, follow: boolean): Promise<z.infer<typeof Found>> {
		return this.#ask('find', path, Found, { follow });
	}

	async stat(path: string): Promise<FileStat> {
		return toFileStat((await this.find(path, false)).entry);
	}

	async list(path: string, depth: number): Promise<DirEntry[]> {
		const found = await this.#ask('list', path, Entries, { depth });
		return found
			.map(([below, entry]) => ({ path: below, ...toFileStat(entry) }))
			.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
	}

	remove(path: string, recursive: boolean): Promise<void> {
		return this.inTurn(async () => {
			const { real, entry } = await this.#ask('remove', path, Found, { recursive });
			await this.journal.record({ path: real, kind: 'remove', mode: gitMode(entry) });
		});
	}

	rename(path: string, target: string): Promise<void> {
		return this.inTurn(async () => {
			const request = { to: toAbsolute(this.rules, target) };
			const { real, to, entry, after } = await this.#ask('rename', path, Renamed, request);
			await this.journal.record({ path: real, kind: 'rename', mode: gitMode(entry), to }, after);
		});
	}

	makeDirectory(path: string): Promise<void> {
		return this.inTurn(async () => {
			const { real, isNew, after } = await this.#ask('mkdir', path, Made);
			if (isNew) await this.journal.record({ path: real, kind: 'mkdir', mode: Mode.directory }, after);
		});
	}

	readLink(path: string): Promise<string> {
		return this.#ask('readlink', path, z.string());
	}

	symlink(target: string, path: string): Promise<void> {
		return this.inTurn(async () => {
			const { real, after } = await this.#ask('symlink', path, Changed, { target });
			const bytes = new TextEncoder().encode(target);
			await this.journal.record({ path: real, kind: 'symlink', mode: Mode.symlink, bytes }, after);
		});
	}

	setMode(path: string, mode: number): Promise<void> {
		return this.inTurn(async () => {
			const { real, after } = await this.#ask('chmod', path, Changed, { mode });
			await this.journal.record({ path: real, kind: 'mode', mode: modeOf(real, after) }, after);
		});
	}

	#write(entries: Content[]): Promise<void> {
		return this.inTurn(async () => {
			const placed = await this.place(entries);
			for (const [index, { real, after }] of placed.entries()) {
				const entry = entries[index];
				if (!entry) throw new EnvironmentError('EIO', 'The container wrote more files than it was asked to.');
				const kind = isLink(entry) ? 'symlink' : 'write';
				await this.journal.record({ path: real, kind, mode: modeOf(real, after), bytes: entry.bytes }, after);
			}
		});
	}

	/** Writes without queueing or journaling, for callers that do both themselves. */
	async place(entries: readonly Content[]): Promise<z.infer<typeof Placed>> {
		const { booted, rules } = this;
		const place = (aside: string[]): Promise<z.infer<typeof Placed>> => {
			const spares = aside.values();
			const files = entries.map((entry) => {
				const path = toAbsolute(rules, entry.path);
				if (isLink(entry)) return { path, target: new TextDecoder().decode(entry.bytes) };
				const mode = entry.mode === undefined ? undefined : entry.mode & 0o100 ? 0o755 : 0o644;
				return { path, from: spares.next().value, mode };
			});
			return booted.questions.ask('place', { rules, files }, Placed, entries[0]?.path);
		};
		const contents = entries.filter((entry) => !isLink(entry)).map(({ bytes }) => bytes);
		const [only] = contents;
		if (contents.length === 1 && only) return booted.withFileAside(only, (file) => place([file]));
		return booted.withAside(contents, place);
	}

	async #ask<Schema extends z.ZodMiniType>(
		op: string,
		path: string,
		answer: Schema,
		request: Record<string, unknown> = {}
	): Promise<z.infer<Schema>> {
		const { rules } = this;
		return this.booted.questions.ask(op, { ...request, rules, path: toAbsolute(rules, path) }, answer, path);
	}
}

function modeOf(real: string, after: [string, TreeEntry][]): number {
	const entry = after.find(([path]) => path === real)?.[1];
	return entry ? gitMode(entry) : Mode.file;
}

function toFileStat(entry: TreeEntry): FileStat {
	const { kind, size, mode, modifiedNs } = entry;
	return { kind, size, mode, modifiedMs: Number(modifiedNs / 1_000n) / 1_000 };
}
