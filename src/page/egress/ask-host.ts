import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import type { ApiAnswer, ApiRequest } from '#workspace/publish/hosts/host-api.ts';
import type { GitTokens } from '../token/git-tokens.ts';
import type { EgressLedger } from './ledger.ts';

const UNAUTHORIZED = 401;

/**
 * Sends a request to a git server's API with the token stored for a repository; asks the user for a token if there is
 * none, or if it was not accepted. Rejects as the ledger does.
 *
 * @param repository repository of the token, in git's form: origin and path
 * @param authorization header that the server's API expects
 */
export type AskHost = (
	repository: string,
	request: ApiRequest,
	authorization: (token: string) => string
) => Promise<ApiAnswer>;

/** Adds the token after the ledger: neither its list nor the sandbox ever sees it. */
export function hostAsker(
	ledger: Pick<EgressLedger, 'requestAsUser'>,
	tokens: Pick<GitTokens, 'authorization' | 'renew' | 'token'>,
	send: (request: WireRequest) => Promise<WireResponse>
): AskHost {
	return async (repository, { method, url, headers, body }, authorization) => {
		const bytes = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body));
		const type: [string, string][] = bytes ? [['content-type', 'application/json']] : [];
		const plain: WireRequest = {
			method,
			url,
			headers: [...Object.entries(headers), ...type],
			body: bytes,
			purpose: 'pull request'
		};
		for (;;) {
			const used = tokens.authorization(repository);
			if (used === undefined && !(await tokens.renew(repository, undefined, 'request')))
				return { status: UNAUTHORIZED, body: '' };
			const token = tokens.token(repository) ?? '';
			const answer = await ledger.requestAsUser(plain, (request) =>
				send({ ...request, headers: [...request.headers, ['authorization', authorization(token)]] })
			);
			if (answer.status === UNAUTHORIZED && (await tokens.renew(repository, used, 'request'))) continue;
			return { status: answer.status, body: parsed(new TextDecoder().decode(answer.body)) };
		}
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
