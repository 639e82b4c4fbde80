import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { serverConfig } from '../server-config.ts';
import { gitTokenGate } from '../token/git-gate.svelte.ts';
import { GitTokens } from '../token/git-tokens.ts';
import { hostAsker, type AskHost } from './ask-host.ts';
import { EgressLedger } from './ledger.ts';
import type { PackageCache } from './package-cache.ts';

const NPM_REGISTRY = 'https://registry.npmjs.org/';

/**
 * Creates the ledger of this page, whose requests use the server's proxy routes, and the user's own access to a
 * host's API.
 */
export function createEgress(): { ledger: EgressLedger; askHost: AskHost } {
	const tokens = new GitTokens(async (repository, refused, use) => {
		const given = await gitTokenGate.ask(repository, refused, use);
		if (given && use === 'push') ledger.allowPushToken(repository);
		return given;
	});
	// Shared by all requests: it collects received packages and stores them when idle.
	let packages: PackageCache | null = null;
	const send = async (request: WireRequest): Promise<WireResponse> => {
		const [{ forward }, { packageCache }] = await Promise.all([import('./forward.ts'), import('./package-cache.ts')]);
		const npmRegistry = (await serverConfig())?.npmRegistry ?? NPM_REGISTRY;
		packages ??= packageCache();
		const permitPushToken = (repository: string): Promise<void> => ledger.permitPushToken(repository);
		return forward(request, { serverUrl: location.origin, npmRegistry, tokens, permitPushToken, packages });
	};
	const ledger = new EgressLedger(
		send,
		async () => ({ ownHost: location.host, allowedPrivate: (await serverConfig())?.allowHosts ?? [] }),
		() => tokens.clear()
	);
	return { ledger, askHost: hostAsker(ledger, tokens, send) };
}
