import { createMiddleware } from 'hono/factory';
import type { ServerContext, ServerEnvironment } from '../context.ts';
import { HOST_PAGE, HOST_PATH, WORKER_PATH } from './host-page.ts';
import type { PreviewPlace } from './origin.ts';
import { closedPolicies, hostPolicies, sitePolicies } from './policies.ts';
import { previewWorker } from './worker.ts';

const NOT_HERE = 'This preview is only available inside its Sandglass tab. Open it from there.\n';

/**
 * Answers all requests to the preview's origin, so that none of them reaches the page's files, its API or its
 * cookies: two files of ours, and a message for the rest.
 * @param pageHosts names of our own page: only it may embed a preview
 */
export const servePreviews = (place: PreviewPlace, pageHosts: () => readonly string[]) =>
	createMiddleware<ServerEnvironment>(async (c, next) => {
		if (!place.isPreview(c.req.header('host'))) return next();
		return answer(c, pageHosts());
	});

function answer(c: ServerContext, pageHosts: readonly string[]): Response {
	const { method, path } = c.req;
	if (method !== 'GET' && method !== 'HEAD')
		return c.body(NOT_HERE, 405, {
			...closedPolicies,
			Allow: 'GET, HEAD',
			'content-type': 'text/plain; charset=utf-8'
		});
	if (path === HOST_PATH)
		return c.body(HOST_PAGE, 200, { ...hostPolicies(pageHosts), 'content-type': 'text/html; charset=utf-8' });
	if (path === WORKER_PATH)
		return c.body(previewWorker(sitePolicies(pageHosts)), 200, {
			...closedPolicies,
			'content-type': 'text/javascript; charset=utf-8',
			'service-worker-allowed': '/'
		});
	return c.body(NOT_HERE, 404, { ...closedPolicies, 'content-type': 'text/plain; charset=utf-8' });
}
