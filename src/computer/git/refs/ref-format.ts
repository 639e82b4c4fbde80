/**
 * Returns whether a reference may have this name, by git-check-ref-format(1).
 *
 * @param options whether to allow one level (`main` instead of `refs/heads/main`), and one `*`
 */
export function isRefName(name: string, options: { oneLevel?: boolean; pattern?: boolean } = {}): boolean {
	if (!options.oneLevel && !name.includes('/')) return false;
	if (name === '' || name === '@' || name.endsWith('.') || name.includes('..') || name.includes('@{')) return false;
	const starless = options.pattern ? name.replace('*', '') : name;
	if (/[\x00-\x20\x7f~^:?*[\\]/.test(starless)) return false;
	return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Returns whether a branch or tag may have this name. */
export const isBranchName = (name: string): boolean =>
	!name.startsWith('-') && name !== 'HEAD' && isRefName(`refs/heads/${name}`);
