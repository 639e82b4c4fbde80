/** Values of the flags of `npm install` and similar commands. */
export interface InstallOptions {
	/** Section of package.json for the named packages; `null` leaves package.json unchanged. */
	save: 'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies' | 'auto' | null;
	exact: boolean;
	/** Ranges are saved as typed, as other package managers do. */
	keepsRanges: boolean;
	omit: Set<'dev' | 'optional' | 'peer'>;
	/** Peer dependencies are ignored, as npm 6 did. */
	legacyPeers: boolean;
	/** Conflicting peers cause a warning instead of an error. */
	force: boolean;
	packageLock: boolean;
	lockOnly: boolean;
	dryRun: boolean;
	silent: boolean;
	global: boolean;
}

/** Flag of {@link InstallOptions.keepsRanges}, for commands translated from other package managers. */
export const KEEP_RANGES = '--sandglass-keep-ranges';

/** @param env `NODE_ENV=production` omits development dependencies */
export function readOptions(flags: string[], env: Record<string, string>): Omit<InstallOptions, 'legacyPeers'> {
	const has = (...names: string[]) => flags.some((flag) => names.includes(flag));
	const omit = new Set<'dev' | 'optional' | 'peer'>();
	if (env['NODE_ENV'] === 'production' || has('--production', '--only=prod', '--only=production')) omit.add('dev');
	for (const kind of ['dev', 'optional', 'peer'] as const) {
		if (has(`--omit=${kind}`)) omit.add(kind);
		if (has(`--include=${kind}`)) omit.delete(kind);
	}
	if (has('--no-optional')) omit.add('optional');
	return {
		save: has('--no-save')
			? null
			: has('-D', '--save-dev')
				? 'devDependencies'
				: has('-O', '--save-optional')
					? 'optionalDependencies'
					: has('--save-peer')
						? 'peerDependencies'
						: has('-P', '--save-prod')
							? 'dependencies'
							: 'auto',
		exact: has('-E', '--save-exact'),
		keepsRanges: has(KEEP_RANGES),
		omit,
		force: has('--force', '-f'),
		packageLock: !has('--no-package-lock'),
		lockOnly: has('--package-lock-only'),
		dryRun: has('--dry-run'),
		silent: has('-s', '--silent', '--quiet', '-q', '--loglevel=silent', '--loglevel=error'),
		global: isGlobal(flags)
	};
}

export const isGlobal = (flags: string[]): boolean =>
	flags.some((flag) => ['-g', '--global', '--location=global'].includes(flag));
