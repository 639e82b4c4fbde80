import { EnvironmentError } from '../errors.ts';

/** Name of the directory that the container's file interface begins at and never leaves. */
export const WORKDIR_NAME = 'sandglass';

/** Holds what is ours and no project's. */
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

/** The rules of an overlay, whose files lie in a directory of their own. */
export function rulesForOverlay(base: PathRules, workingDirectory: string): PathRules {
	const closed = base.closed.filter((place) => !workingDirectory.startsWith(`${place}/`));
	return { ...base, workingDirectory, roots: [workingDirectory, '/tmp'], closed: [...closed, base.workingDirectory] };
}

/**
 * A path as callers give it, made absolute. `~` and `/home/user` are the home, and `/workspace` is the
 * working directory: a session that began on the built-in computer names its files so.
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
