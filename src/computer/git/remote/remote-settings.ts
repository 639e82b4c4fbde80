import { decode } from '../bytes.ts';
import type { Config } from '../config/config.ts';
import { fetchSpec, pushSpec, type Refspec } from '../refs/refspec.ts';
import type { Repository } from '../repository.ts';

/** A remote from the config, or an address given on the command line. */
export interface Remote {
	/** Name of the remote, or the address. */
	name: string;
	isConfigured: boolean;
	/** URLs to fetch from; the first one is used. */
	urls: string[];
	pushUrls: string[];
	fetchSpecs: Refspec[];
	pushSpecs: Refspec[];
	isMirror: boolean;
	/** Program to run on the other side for a fetch, and for a push. */
	uploadPack?: string | undefined;
	receivePack?: string | undefined;
}

/** Finds a remote by name; any other text is used as an address. */
export function remoteNamed(repository: Repository, name: string): Remote {
	const { config } = repository;
	const all = (key: string) => config.values(`remote.${name}.${key}`);
	const isConfigured = isRemote(config, name);
	const old = isConfigured ? null : oldRemote(repository, name);
	if (old) return old;
	const given = all('url');
	const urls = given.length > 0 ? given : [name];
	const pushUrls = all('pushurl');
	return {
		name,
		isConfigured,
		urls: urls.map((url) => rewritten(config, url, 'insteadof') ?? url),
		pushUrls:
			pushUrls.length > 0
				? pushUrls.map((url) => rewritten(config, url, 'insteadof') ?? url)
				: urls.map((url) => rewritten(config, url, 'pushinsteadof') ?? rewritten(config, url, 'insteadof') ?? url),
		fetchSpecs: all('fetch').map(fetchSpec),
		pushSpecs: all('push').map(pushSpec),
		isMirror: config.flag(`remote.${name}.mirror`, false),
		uploadPack: config.get(`remote.${name}.uploadpack`),
		receivePack: config.get(`remote.${name}.receivepack`)
	};
}

/** A remote from a legacy file (`remotes` or `branches`) instead of the config; null if there is none. */
function oldRemote(repository: Repository, name: string): Remote | null {
	const { files, commonDir } = repository;
	if (name === '' || name.startsWith('.') || name.includes('/')) return null;
	const text = (folder: string) => {
		const path = `${commonDir}/${folder}/${name}`;
		return files.statOrNull(path)?.kind === 'file' ? decode(files.readFile(path)) : null;
	};
	const lines = text('remotes')?.split('\n');
	if (lines) {
		const all = (key: string) =>
			lines.flatMap((line) => (line.startsWith(`${key}:`) ? [line.slice(key.length + 1).trim()] : []));
		return remoteOf(repository, name, all('URL'), all('Pull').map(fetchSpec), all('Push').map(pushSpec));
	}
	const usual = repository.env['GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME'] ?? repository.config.get('init.defaultbranch');
	const [, address, branch = usual ?? 'master'] = /^\s*([^#\s]+)(?:#(\S*))?/.exec(text('branches') ?? '') ?? [];
	if (address === undefined) return null;
	const specs = [fetchSpec(`refs/heads/${branch}:refs/heads/${name}`)];
	return remoteOf(repository, name, [address], specs, [pushSpec(`HEAD:refs/heads/${branch}`)]);
}

function remoteOf(
	{ config }: Repository,
	name: string,
	addresses: readonly string[],
	fetchSpecs: Refspec[],
	pushSpecs: Refspec[]
): Remote {
	const urls = addresses.map((url) => rewritten(config, url, 'insteadof') ?? url);
	const pushUrls = addresses.map((url, at) => rewritten(config, url, 'pushinsteadof') ?? urls[at]!);
	return { name, isConfigured: true, urls, pushUrls, fetchSpecs, pushSpecs, isMirror: false };
}

/** Returns whether the config has a remote of this name. */
export const isRemote = (config: Config, name: string): boolean =>
	['url', 'fetch', 'push', 'pushurl', 'vcs'].some((key) => config.get(`remote.${name}.${key}`) !== undefined);

/** Names of the remotes, in the order of the config. */
export const remoteNames = (config: Config): string[] =>
	config.subsections('remote').filter((name) => isRemote(config, name));

/** Address rewritten by the longest matching `url.<base>.insteadOf`; null if none matches. */
function rewritten(config: Config, url: string, key: 'insteadof' | 'pushinsteadof'): string | null {
	let best: { base: string; start: string } | null = null;
	for (const base of config.subsections('url'))
		for (const start of config.values(`url.${base}.${key}`))
			if (url.startsWith(start) && start.length > (best?.start.length ?? 0)) best = { base, start };
	return best === null ? null : best.base + url.slice(best.start.length);
}

/** Remote of the current branch, or `origin`. */
export function defaultRemote({ refs, config }: Repository): string {
	const branch = refs.currentBranch();
	const named = branch === null ? undefined : config.get(`branch.${branch}.remote`);
	const remotes = remoteNames(config);
	return named ?? (remotes.length === 1 ? remotes[0]! : 'origin');
}
