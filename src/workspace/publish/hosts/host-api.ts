import type { PublishErrorCode } from '../errors.ts';
import type { HostedRepository } from '../repository-host.ts';

/** What is asked for. */
export interface PullRequest {
	repository: HostedRepository;
	/** The branch with the change. */
	branch: string;
	/** The branch it is to go into. */
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
	/** Parsed JSON; the text where it is none. From outside: parse it. */
	body: unknown;
}

export interface OpenedRequest {
	url: string;
	/** It was open before. */
	existed: boolean;
}

/** How one kind of host is asked for pull requests. */
export interface HostApi {
	authorization(token: string): string;
	open(wanted: PullRequest): ApiRequest;
	/** Asks for the one that is open from the branch. */
	find(wanted: PullRequest): ApiRequest;
	/** The link in an answer to either; `null` when there is none. */
	read(body: unknown): { url: string } | null;
	/** What a refusal to open means. */
	refusal(answer: ApiAnswer): PublishErrorCode | 'exists';
}

/** What hosts have in common; `text` is all they say. */
export function commonRefusal({ status, body }: ApiAnswer): PublishErrorCode | 'exists' {
	const text = JSON.stringify(body) ?? '';
	if (/already exists|already been created/i.test(text)) return 'exists';
	if (/no (commits|changes|difference)|nothing to|identical|no diff|does not have any commits/i.test(text))
		return 'request_no_difference';
	if (status === 401 || status === 403) return 'request_no_access';
	if (status === 404) return 'request_not_found';
	return 'request_refused';
}
