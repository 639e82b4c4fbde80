import { decode, encode } from '../bytes.ts';
import { missingAsNull } from '../objects/store.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { editConfig, normalizeKey, parseConfig, removeSection, type Setting } from './config-file.ts';

/** All settings that hold: the user's, the repository's, then what `-c` gave. */
export class Config {
	#files: string[];

	/** @param overrides from `-c key=value`, last one wins */
	constructor(
		private readonly files: SyncSyscalls,
		readonly userPath: string,
		readonly repositoryPath: string | null,
		private readonly overrides: readonly Setting[]
	) {
		this.#files = repositoryPath === null ? [userPath] : [userPath, repositoryPath];
	}

	all(only: readonly string[] = this.#files): Setting[] {
		const found = only.flatMap((path) => parseConfig(this.#text(path)));
		return only === this.#files ? [...found, ...this.overrides] : found;
	}

	get(key: string): string | undefined {
		return this.values(key).at(-1);
	}

	values(key: string): string[] {
		const wanted = normalizeKey(key);
		return this.all()
			.filter((setting) => normalizeKey(setting.key) === wanted)
			.map(({ value }) => value);
	}

	flag(key: string, otherwise: boolean): boolean {
		const value = this.get(key)?.toLowerCase();
		return value === undefined ? otherwise : value === 'true' || value === 'yes' || value === 'on' || value === '1';
	}

	/** Names between a section and a setting: the remotes of `remote`, the branches of `branch`. */
	subsections(section: string): string[] {
		const pattern = new RegExp(`^${section}\\.(.+)\\.[^.]+$`);
		return [...new Set(this.all().flatMap(({ key }) => pattern.exec(key)?.[1] ?? []))];
	}

	/** @param value null takes the setting out */
	set(path: string, key: string, value: string | null, add = false): void {
		this.files.writeFile(path, encode(editConfig(this.#text(path), key, value, add)));
	}

	removeSection(path: string, section: string): void {
		this.files.writeFile(path, encode(removeSection(this.#text(path), section)));
	}

	#text(path: string): string {
		const bytes = missingAsNull(() => this.files.readFile(path));
		return bytes ? decode(bytes) : '';
	}
}
