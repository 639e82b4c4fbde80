import { PublishError } from './errors.ts';

/** Maps git's error messages to reasons that the page explains. */
export function failureOf(output: string, during: 'fetch' | 'commit' | 'push'): PublishError {
	const detail = output.trim().split('\n').slice(-3).join('\n');
	if (/protected|hook declined|pre-receive|not allowed to push/i.test(output))
		return new PublishError('publish_protected', detail);
	if (/\b(401|403)\b|authentication|denied|was not allowed/i.test(output))
		return new PublishError('publish_no_access', detail);
	if (/non-fast-forward|already exists|tip of your current branch is behind/i.test(output))
		return new PublishError('publish_branch_exists', detail);
	if (during === 'fetch' && /remote ref|remote branch/i.test(output))
		return new PublishError('publish_no_branch', detail);
	if (/\b404\b|repository .* not found/i.test(output)) return new PublishError('request_not_found', detail);
	if (/unable to access|could not resolve|network|ECONNREFUSED|\b50[24]\b/i.test(output))
		return new PublishError('publish_unreachable', detail);
	return new PublishError('publish_rejected', detail);
}
