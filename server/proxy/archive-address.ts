/** Address of a ref's tarball at a host. `template` is an address with `{path}` and `{ref}`. */
export type ArchiveStyle = 'github' | 'gitlab' | 'gitea' | 'bitbucket' | { template: string };

const PUBLIC_HOSTS: Readonly<Record<string, ArchiveStyle>> = {
	'github.com': { template: 'https://codeload.github.com/{path}/tar.gz/{ref}' },
	'gitlab.com': 'gitlab',
	'bitbucket.org': 'bitbucket',
	'codeberg.org': 'gitea',
	'gitea.com': 'gitea'
};

/**
 * Archive styles by host, built-in and configured.
 * @param configured entries of `SANDGLASS_ARCHIVE_HOSTS`: `host=style` or `host=<address>`
 */
export function archiveStyles(configured: readonly string[]): ReadonlyMap<string, ArchiveStyle> {
	const styles = new Map(Object.entries(PUBLIC_HOSTS));
	for (const entry of configured) {
		const at = entry.indexOf('=');
		const style = entry.slice(at + 1);
		const known = (['github', 'gitlab', 'gitea', 'bitbucket'] as const).find((name) => name === style.toLowerCase());
		styles.set(entry.slice(0, at).toLowerCase(), known ?? { template: style });
	}
	return styles;
}

/**
 * Address of a repository's tarball.
 * @param repository address of the repository, with or without `.git`
 * @param ref branch, tag or commit; the host's default branch when empty
 * @returns undefined if the host's style is unknown, or cannot name this ref
 */
export function archiveAddress(
	repository: URL,
	ref: string,
	styles: ReadonlyMap<string, ArchiveStyle>
): URL | undefined {
	const style = styles.get(repository.host);
	const path = repository.pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
	if (!style || (!path.includes('/') && typeof style === 'string')) return undefined;
	if (ref.split('/').includes('..')) return undefined;
	if (ref === '' && style === 'gitea') return undefined;
	const named = (ref === '' ? 'HEAD' : ref).split('/').map(encodeURIComponent).join('/');
	const name = path.split('/').at(-1) ?? '';
	if (typeof style === 'object') {
		const address = style.template.replace('{path}', () => path).replace('{ref}', () => named);
		return URL.canParse(address) ? new URL(address) : undefined;
	}
	switch (style) {
		case 'github':
		case 'gitea':
			return new URL(`${repository.origin}/${path}/archive/${named}.tar.gz`);
		case 'gitlab':
			return new URL(`${repository.origin}/${path}/-/archive/${named}/${name}-${named.replaceAll('/', '-')}.tar.gz`);
		case 'bitbucket':
			return new URL(`${repository.origin}/${path}/get/${named}.tar.gz`);
	}
}
