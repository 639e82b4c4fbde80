import validRange from 'semver/ranges/valid.js';
import { NpmError } from '../errors.ts';

/** Value of a dependency. */
export type Spec =
	| { kind: 'range'; range: string }
	| { kind: 'tag'; tag: string }
	/** `npm:other@range`: another package under this name. */
	| { kind: 'alias'; name: string; spec: Spec }
	/** A directory of this machine, which is linked, or a tarball. */
	| { kind: 'file'; path: string }
	| { kind: 'workspace'; range: string };

const GIT =
	/^(git(\+[a-z]+)?:|github:|gitlab:|bitbucket:|gist:|git@|ssh:)|^https?:\/\/.*\.git(#.*)?$|^[\w-][\w.-]*\/[\w.-]+(#.*)?$/;

/**
 * Parses `^1.2.3`, `next`, `npm:x@1`, `file:../x`, `link:../x`, `workspace:*`.
 * @throws NpmError EUNSUPPORTED for git and web URLs
 */
export function parseSpec(name: string, text: string): Spec {
	const spec = text.trim();
	if (spec.startsWith('npm:')) {
		const { name: other, range } = splitName(spec.slice(4));
		return { kind: 'alias', name: other, spec: parseSpec(other, range) };
	}
	if (spec.startsWith('workspace:')) return { kind: 'workspace', range: spec.slice(10) };
	// `link:` is from pnpm and yarn, `portal:` from yarn: directories that are linked, as npm does for `file:`.
	const local = /^(?:file|link|portal):(.*)$/s.exec(spec);
	if (local) return { kind: 'file', path: local[1] ?? '' };
	if (/^(\.{0,2}\/|~\/|\.{1,2}$)/.test(spec)) return { kind: 'file', path: spec };
	const range = validRange(spec, { loose: true });
	if (range !== null) return { kind: 'range', range: spec === '' ? '*' : spec };
	if (GIT.test(spec)) {
		throw new NpmError(
			'EUNSUPPORTED',
			`${name} is to come from a Git repository (${spec}), which npm cannot install in this sandbox.`,
			'Use a version published in the registry, or clone it with git and depend on it as file:<directory>.'
		);
	}
	if (/^https?:/.test(spec)) {
		throw new NpmError(
			'EUNSUPPORTED',
			`${name} is to come from an address (${spec}), which npm cannot install in this sandbox.`,
			'Use a version published in the registry.'
		);
	}
	const [, protocol] = /^([a-z]+):/.exec(spec) ?? [];
	if (protocol) {
		throw new NpmError('EUNSUPPORTEDPROTOCOL', `Unsupported URL Type "${protocol}:": ${name}@${spec}`);
	}
	if (/[\s/%?#]/.test(spec)) throw new NpmError('EINVALIDTAGNAME', `Invalid tag name "${spec}" of package "${name}".`);
	return { kind: 'tag', tag: spec };
}

/** Splits `@scope/name@1.x` into its two parts; the second is empty if there is none. */
export function splitName(text: string): { name: string; range: string } {
	const at = text.indexOf('@', 1);
	return at < 0 ? { name: text, range: '' } : { name: text.slice(0, at), range: text.slice(at + 1) };
}

/**
 * Parses an argument of `npm install`: `react`, `react@next`, `mine@npm:other@1`, `./directory`.
 * @returns the name, empty if it is only in the directory's package.json
 */
export function parseArgument(text: string): { name: string; range: string } {
	if (/^(file:|\.{1,2}(\/|$)|\/|~\/)/.test(text)) return { name: '', range: text };
	if (GIT.test(text) && !text.startsWith('@')) parseSpec(text, text);
	const { name, range } = splitName(text);
	checkName(name, text);
	return { name, range };
}

/** Returns whether a name is a valid directory of `node_modules`: one that does not lead outside. */
export const isPackageName = (name: string): boolean => /^(@[a-z0-9~_.-]+\/)?(?!\.)[a-z0-9~_.-]+$/i.test(name);

/** @param text the argument as given. @throws NpmError EINVALIDPACKAGENAME */
export function checkName(name: string, text = name): void {
	if (!isPackageName(name)) throw new NpmError('EINVALIDPACKAGENAME', `Invalid package name "${text}".`);
}
