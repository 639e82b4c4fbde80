import { serverConfig } from '../server-config.ts';
import { gitTokenGate } from '../token/git-gate.svelte.ts';
import { GitTokens } from '../token/git-tokens.ts';
import { EgressLedger } from './ledger.ts';

const NPM_REGISTRY = 'https://registry.npmjs.org/';

/** The ledger of this page: its requests go through the server's doors. */
export function createEgress(): EgressLedger {
	const tokens = new GitTokens((origin, refused) => gitTokenGate.ask(origin, refused));
	return new EgressLedger(
		async (request) => {
			const [{ forward }, { packageCache }] = await Promise.all([import('./forward.ts'), import('./package-cache.ts')]);
			const npmRegistry = (await serverConfig())?.npmRegistry ?? NPM_REGISTRY;
			return forward(request, { serverUrl: location.origin, npmRegistry, tokens, packages: packageCache() });
		},
		async () => ({ ownHost: location.host, allowedPrivate: (await serverConfig())?.allowHosts ?? [] }),
		() => tokens.clear()
	);
}
