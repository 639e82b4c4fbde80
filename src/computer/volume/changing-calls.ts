const at =
	(...positions: number[]) =>
	(args: unknown[]): unknown[] =>
		positions.map((position) => args[position]);

/** File calls that change something, and the arguments with the changed paths. */
export const CHANGING: Record<string, (args: unknown[]) => unknown[]> = {
	load: ([files]) => (files as { path: string }[]).map(({ path }) => path),
	writeFile: at(0),
	appendFile: at(0),
	writeAt: at(0),
	truncate: at(0),
	mkdir: at(0),
	rmdir: at(0),
	unlink: at(0),
	remove: at(0),
	rename: at(0, 1),
	copy: at(1),
	symlink: at(1),
	mkfifo: at(0),
	link: at(1),
	chmod: at(0),
	utimes: at(0)
};
