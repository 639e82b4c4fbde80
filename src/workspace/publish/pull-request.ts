import type { HostKind } from './repository-host.ts';
import { gitea } from './hosts/gitea.ts';
import { github } from './hosts/github.ts';
import { gitlab } from './hosts/gitlab.ts';
import type { ApiAnswer, ApiRequest, HostApi, OpenedRequest, PullRequest } from './hosts/host-api.ts';
import { PublishError } from './errors.ts';

const APIS: Readonly<Record<Exclude<HostKind, 'none'>, HostApi>> = { github, gitlab, gitea };

/**
 * Opens a pull request, or finds the open one of the branch.
 *
 * @param ask sends a request to the host with the user's token
 * @throws PublishError `request_…`, with the host's message
 */
export async function openPullRequest(
	kind: Exclude<HostKind, 'none'>,
	wanted: PullRequest,
	ask: (request: ApiRequest) => Promise<ApiAnswer>
): Promise<OpenedRequest> {
	const api = APIS[kind];
	const answer = await ask(api.open(wanted));
	const opened = answer.status >= 200 && answer.status < 300 ? api.read(answer.body) : null;
	if (opened) return { ...opened, existed: false };
	const code = api.refusal(answer);
	if (code !== 'exists') throw new PublishError(code, wordsOf(answer));
	const found = await ask(api.find(wanted));
	const existing = api.read(found.body);
	if (!existing) throw new PublishError('request_refused', wordsOf(answer));
	return { ...existing, existed: true };
}

/** Authorization header for a host's API. */
export function authorizationFor(kind: Exclude<HostKind, 'none'>, token: string): string {
	return APIS[kind].authorization(token);
}

/** The host's message, truncated: it is displayed to the user as text. */
function wordsOf({ status, body }: ApiAnswer): string {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return `${status}${text ? `: ${text.slice(0, 300)}` : ''}`;
}
