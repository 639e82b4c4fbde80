import type { Link } from '@jsonjoy.com/fs-core';
import { FILE_SYSTEMS } from '#computer/abi/file-systems.ts';
import { PROCESSORS } from '#computer/abi/limits.ts';
import { ZONE_DIRECTORY } from '#computer/abi/time-zones.ts';
import { Store } from './store.ts';
import { Volume } from './volume.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/**
 * Creates a new volume: the writable roots, and `/usr/bin` with an entry for each command, so that `which` finds it.
 */
export function createVolume(commands: readonly string[]): Volume {
	const store = new Store();
	const make = (path: string): Link => {
		let directory = store.root;
		for (const name of path.split('/')) {
			directory = directory.getChild(name) ?? store.createDirectory(directory, name);
		}
		return directory;
	};
	store.createDirectory(store.root, 'tmp', 0o1777);
	for (const path of ['workspace', 'home/user', 'dev', 'etc', 'proc', 'usr/lib', 'var', ZONE_DIRECTORY.slice(1)])
		make(path);
	store.createDirectory(make('dev'), 'shm', 0o1777);
	// Programs open them by name; the links dangle, since there is no `/proc/self/fd`.
	for (const [number, name] of ['stdin', 'stdout', 'stderr'].entries())
		store.createSymlink(make('dev'), name, `/proc/self/fd/${number}`);
	const binaries = make('usr/bin');
	// A copy or link of the stub under another name runs as a script.
	const stub = (command: string) => `# This command is part of the sandbox.\nexec -a "$0" /usr/bin/${command} "$@"\n`;
	for (const command of commands) store.createFile(binaries, command, bytes(stub(command)), 0o755);
	store.createSymlink(store.root, 'bin', 'usr/bin');
	store.createDevice(make('dev'), 'null', 0o666);
	store.createFile(make('proc'), 'cpuinfo', bytes(processors()), 0o444);
	store.createFile(make('proc'), 'mounts', bytes(mounts()), 0o444);
	store.createFile(make('etc'), 'hostname', bytes('sandglass\n'));
	store.createFile(make('etc'), 'passwd', bytes('user:x:1000:1000::/home/user:/bin/bash\n'));
	return new Volume(store);
}

/** `/proc/cpuinfo`, from which scripts count the processors. */
const processors = (): string => Array.from({ length: PROCESSORS }, (_, index) => `processor\t: ${index}\n\n`).join('');

/** `/proc/mounts`. */
const mounts = (): string =>
	FILE_SYSTEMS.map(({ source, target, type }) => `${source} ${target} ${type} rw 0 0\n`).join('');
