import * as z from 'zod/mini';
import type { HostedRepository } from '../repository-host.ts';
import { commonRefusal, type HostApi } from './host-api.ts';

const Pull = z.object({ html_url: z.url({ protocol: /^https?$/ }) });
const headers = {
	accept: 'application/vnd.github+json',
	'x-github-api-version': '2022-11-28',
	'user-agent': 'sandglass'
};

/** https://docs.github.com/en/rest/pulls/pulls */
export const github: HostApi = {
	authorization: (token) => `Bearer ${token}`,
	open: ({ repository, branch, target, title, description }) => ({
		method: 'POST',
		url: `${pulls(repository)}`,
		headers,
		body: { title, body: description, head: branch, base: target }
	}),
	find: ({ repository, branch }) => ({
		method: 'GET',
		url: `${pulls(repository)}?state=open&head=${encodeURIComponent(`${repository.path.split('/')[0]}:${branch}`)}`,
		headers
	}),
	read(body) {
		const one = z.safeParse(Pull, Array.isArray(body) ? body[0] : body);
		return one.success ? { url: one.data.html_url } : null;
	},
	refusal: commonRefusal
};

function pulls({ origin, host, path }: HostedRepository): string {
	const api = host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
	return `${api}/repos/${path.split('/').map(encodeURIComponent).join('/')}/pulls`;
}
