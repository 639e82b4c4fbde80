import { copyTree, removeTree, renameEntry } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { SyscallError } from '#computer/abi/client.ts';
import fc from '#test/fast-check.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const name = fc.constantFrom('a', 'b', 'c', 'd');
/** Paths below the workspace, few enough for changes to collide. */
export const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/workspace/${names.join('/')}`);
export type Change = (volume: Volume) => void;
/** Changes of all kinds; a volume refuses many of them. */
export const change: fc.Arbitrary<Change> = fc.oneof(
	fc.tuple(path, fc.string()).map(
		([at, text]): Change =>
			(on) =>
				on.writeFile(at, bytes(text))
	),
	fc.tuple(path, fc.string()).map(
		([at, text]): Change =>
			(on) =>
				on.appendFile(at, bytes(text))
	),
	fc.tuple(path, fc.nat(9)).map(
		([at, from]): Change =>
			(on) =>
				on.writeAt(at, bytes('#'), from)
	),
	fc.tuple(path, fc.nat(3)).map(
		([at, size]): Change =>
			(on) =>
				on.truncate(at, size)
	),
	path.map(
		(at): Change =>
			(on) =>
				on.mkdir(at, { recursive: true })
	),
	path.map(
		(at): Change =>
			(on) =>
				on.mkfifo(at)
	),
	path.map(
		(at): Change =>
			(on) =>
				removeTree(on, at, { recursive: true })
	),
	fc.tuple(path, fc.constantFrom(0o600, 0o700, 0o755)).map(
		([at, mode]): Change =>
			(on) =>
				on.chmod(at, mode)
	),
	fc.tuple(path, fc.nat(9), fc.boolean()).map(
		([at, seconds, follow]): Change =>
			(on) =>
				on.utimes(at, seconds * 1000, seconds * 1000, follow)
	),
	fc.tuple(path, path).map(
		([from, to]): Change =>
			(on) =>
				renameEntry(on, from, to)
	),
	fc.tuple(path, path).map(
		([from, to]): Change =>
			(on) =>
				copyTree(on, from, to, { recursive: true })
	),
	fc.tuple(path, path).map(
		([from, to]): Change =>
			(on) =>
				on.link(from, to)
	),
	fc.tuple(path, path).map(
		([target, at]): Change =>
			(on) =>
				on.symlink(target, at)
	)
);

/** Applies changes; those that the volume refuses have no effect. */
export function apply(volume: Volume, changes: readonly Change[]): void {
	for (const make of changes) {
		try {
			make(volume);
		} catch (error) {
			if (!(error instanceof SyscallError)) throw error;
		}
	}
}
