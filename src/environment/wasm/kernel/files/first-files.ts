import { createDirectory, createFile, createSymlink, type DirectoryInode } from './inode.ts';
import { Volume } from './volume.ts';

/** A new volume: the writable roots, and `/usr/bin` with an entry for each command, so that `which` finds it. */
export function createVolume(commands: readonly string[]): Volume {
	const root = createDirectory();
	const make = (path: string, mode?: number): DirectoryInode => {
		let directory = root;
		for (const name of path.split('/')) {
			const existing = directory.children.get(name);
			const next = existing?.kind === 'directory' ? existing : createDirectory(mode);
			directory.children.set(name, next);
			directory = next;
		}
		return directory;
	};
	for (const path of ['workspace', 'home/user', 'tmp', 'dev', 'etc', 'proc', 'usr/lib', 'var']) make(path);
	const binaries = make('usr/bin');
	const stub = new TextEncoder().encode('This command is part of the sandbox.\n');
	for (const command of commands) binaries.children.set(command, createFile(stub, 0o755));
	root.children.set('bin', createSymlink('usr/bin'));
	make('dev').children.set('null', createFile(new Uint8Array(0), 0o666));
	make('etc').children.set('hostname', createFile(new TextEncoder().encode('sandglass\n')));
	make('etc').children.set('passwd', createFile(new TextEncoder().encode('user:x:1000:1000::/home/user:/bin/bash\n')));
	return new Volume(root);
}
