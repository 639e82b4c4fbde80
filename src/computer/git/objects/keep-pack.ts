import { dirname } from '#computer/abi/paths.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { BuiltPack } from './build-pack.ts';

/** Writes a pack and its index as `<base>-<checksum>`; existing files are left as they are. */
export function keepBuiltPack(files: SyncSyscalls, base: string, { digest, pack, index }: BuiltPack): void {
	files.mkdir(dirname(base), { recursive: true });
	writeReadOnly(files, `${base}-${digest}.pack`, pack);
	writeReadOnly(files, `${base}-${digest}.idx`, index);
}

/** Writes a read-only file unless it exists: the name implies the content. */
export function writeReadOnly(files: SyncSyscalls, path: string, content: Uint8Array): void {
	if (files.statOrNull(path)) return;
	files.writeFile(path, content, { mode: 0o444 });
}
