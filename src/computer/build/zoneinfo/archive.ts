import { type TarMember, writeTar } from '#environment/archive/tar-format.ts';
import { footerOf } from './footer.ts';
import { parseSource } from './source.ts';
import { historyOf } from './transitions.ts';
import { writeTzif } from './tzif.ts';

/**
 * Creates the content of `/usr/share/zoneinfo` as a tar archive: a file for each zone, a symbolic link for each alias,
 * and the two tables that programs read there.
 *
 * @param source `tzdata.zi`
 * @param table `zone.tab`, which lists the zones of each country
 */
export function archiveOf(source: string, table: string): Uint8Array {
	const { zones, links } = parseSource(source);
	const encoder = new TextEncoder();
	const entries = new Map<string, Pick<TarMember, 'kind' | 'target' | 'bytes'>>([
		['tzdata.zi', fileOf(encoder.encode(source))],
		['zone.tab', fileOf(encoder.encode(table))]
	]);
	for (const [name, eras] of zones) {
		const history = historyOf(eras);
		entries.set(name, fileOf(writeTzif(history, footerOf(eras, history))));
	}
	for (const [name, target] of links) {
		const up = '../'.repeat(name.split('/').length - 1);
		entries.set(name, { kind: 'symlink', target: up + target, bytes: new Uint8Array(0) });
	}
	const names = [...entries.keys()];
	const folders = new Set(names.flatMap(foldersOf));
	for (const folder of folders) entries.set(folder, { kind: 'directory', target: '', bytes: new Uint8Array(0) });
	const members = [...entries].map(([name, entry]) => ({ name, ...entry, mode: 0o644, modifiedMs: 0 }));
	// In sorted order, a directory comes before its entries.
	return writeTar(members.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

const fileOf = (bytes: Uint8Array) => ({ kind: 'file' as const, target: '', bytes });

/** `America/Indiana/Knox` → `America`, `America/Indiana`. */
const foldersOf = (name: string) =>
	name
		.split('/')
		.slice(0, -1)
		.map((_, index, parts) => parts.slice(0, index + 1).join('/'));
