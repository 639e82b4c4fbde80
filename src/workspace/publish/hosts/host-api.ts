import type { PublishErrorCode } from '../errors.ts';
import type { HostedRepository } from '../repository-host.ts';

/** The requested pull request. */
export interface PullRequest {
	repository: HostedRepository;
	/** The branch with the change. */
	branch: string;
	/** The branch to merge into. */
	target: string;
	title: string;
	description: string;
}

export interface ApiRequest {
	method: 'GET' | 'POST';
	url: string;
	headers: Record<string, string>;
	/** Sent as JSON. */
	body?: unknown;
}

export interface ApiAnswer {
	status: number;
	/** Parsed JSON, or text if it is not JSON. Untrusted: parse it. */
	body: unknown;
}

export interface OpenedRequest {
	url: string;
	/** True if the pull request was already open. */
	existed: boolean;
}

/** Pull request API of one kind of host. */
export interface HostApi {
	authorization(token: string): string;
	open(wanted: PullRequest): ApiRequest;
	/** Builds the request for the open pull request of the branch. */
	find(wanted: PullRequest): ApiRequest;
	/** Extracts the link from the response to either; `null` if there is none. */
	read(body: unknown): { url: string } | null;
	/** Meaning of a refusal to open one. */
	refusal(answer: ApiAnswer): PublishErrorCode | 'exists';
}

/** Refusals common to all hosts; `text` is their whole message. */
export function commonRefusal({ status, body }: ApiAnswer): PublishErrorCode | 'exists' {
	const text = JSON.stringify(body) ?? '';
	if (/already exists|already been created/i.test(text)) return 'exists';
	if (/no (commits|changes|difference)|nothing to|identical|no diff|does not have any commits/i.test(text))
		return 'request_no_difference';
	if (status === 401 || status === 403) return 'request_no_access';
	if (status === 404) return 'request_not_found';
	return 'request_refused';
}
