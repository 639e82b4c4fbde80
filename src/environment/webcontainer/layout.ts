import { EnvironmentError } from '../errors.ts';

/** Name of the root directory of the container's file API, which never leaves it. */
export const WORKDIR_NAME = 'sandglass';

/** Directory for our own files, which belong to no project. */
export const OWN = '.sandglass';
export const OVERLAYS = 'overlays';

/** Paths of the container that an environment may access; all are absolute and real. */
export interface PathRules {
	workingDirectory: string;
	home: string;
	roots: string[];
	/** Excluded directories within the roots. */
	closed: string[];
}

/** @param directory the container's own working directory */
export function rulesFor(directory: string): PathRules {
	const workingDirectory = `${directory}/workspace`;
	const home = `${directory}/home`;
	return {
		workingDirectory,
		home,
		roots: [workingDirectory, home, '/tmp'],
		closed: [`${directory}/${OWN}`, `${directory}/${OVERLAYS}`]
	};
}

/** Rules of an overlay, whose files lie in their own directory. */
export function rulesForOverlay(base: PathRules, workingDirectory: string): PathRules {
	const closed = base.closed.filter((place) => !workingDirectory.startsWith(`${place}/`));
	return { ...base, workingDirectory, roots: [workingDirectory, '/tmp'], closed: [...closed, base.workingDirectory] };
}

/**
 * Makes a caller's path absolute. `~` and `/home/user` are the home, and `/workspace` is the working directory:
 * sessions that started on the built-in computer use those names.
 *
 * @throws EnvironmentError `EINVAL` for a null character
 */
export function toAbsolute(rules: PathRules, path: string): string {
	if (path.includes('\0')) throw new EnvironmentError('EINVAL', 'A path must not hold a null character.', path);
	const places = [
		['~', rules.home],
		['/home/user', rules.home],
		['/workspace', rules.workingDirectory]
	] as const;
	for (const [name, place] of places) {
		if (path === name) return place;
		if (path.startsWith(`${name}/`)) return place + path.slice(name.length);
	}
	return path.startsWith('/') ? path : `${rules.workingDirectory}/${path}`;
}
