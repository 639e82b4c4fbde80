import * as z from 'zod/mini';
import type { HostedRepository } from '../repository-host.ts';
import { commonRefusal, type HostApi } from './host-api.ts';

const MergeRequest = z.object({ web_url: z.url({ protocol: /^https?$/ }) });
const headers = { accept: 'application/json' };

/** https://docs.gitlab.com/api/merge_requests/ */
export const gitlab: HostApi = {
	authorization: (token) => `Bearer ${token}`,
	open: ({ repository, branch, target, title, description }) => ({
		method: 'POST',
		url: requests(repository),
		headers,
		body: { title, description, source_branch: branch, target_branch: target }
	}),
	find: ({ repository, branch }) => ({
		method: 'GET',
		url: `${requests(repository)}?state=opened&source_branch=${encodeURIComponent(branch)}`,
		headers
	}),
	read(body) {
		const one = z.safeParse(MergeRequest, Array.isArray(body) ? body[0] : body);
		return one.success ? { url: one.data.web_url } : null;
	},
	refusal: (answer) => (answer.status === 409 ? 'exists' : commonRefusal(answer))
};

function requests({ origin, path }: HostedRepository): string {
	return `${origin}/api/v4/projects/${encodeURIComponent(path)}/merge_requests`;
}
