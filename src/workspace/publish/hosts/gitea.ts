import * as z from 'zod/mini';
import type { HostedRepository } from '../repository-host.ts';
import { commonRefusal, type HostApi } from './host-api.ts';

const Pull = z.object({ html_url: z.url({ protocol: /^https?$/ }) });
const headers = { accept: 'application/json' };

/** Gitea and Forgejo: https://docs.gitea.com/api/ under *repository*. */
export const gitea: HostApi = {
	authorization: (token) => `token ${token}`,
	open: ({ repository, branch, target, title, description }) => ({
		method: 'POST',
		url: pulls(repository),
		headers,
		body: { title, body: description, head: branch, base: target }
	}),
	find: ({ repository, branch, target }) => ({
		method: 'GET',
		url: `${pulls(repository)}/${encodeURIComponent(target)}/${encodeURIComponent(branch)}`,
		headers
	}),
	read(body) {
		const one = z.safeParse(Pull, body);
		return one.success ? { url: one.data.html_url } : null;
	},
	refusal: (answer) => (answer.status === 409 ? 'exists' : commonRefusal(answer))
};

function pulls({ origin, path }: HostedRepository): string {
	return `${origin}/api/v1/repos/${path.split('/').map(encodeURIComponent).join('/')}/pulls`;
}
