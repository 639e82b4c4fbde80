import type { Configuration } from '../configuration/load.ts';
import type { ServerApp, ServerContext } from '../context.ts';
import { route } from '../methods.ts';
import { hasTooManyCookies } from '../cookies.ts';
import { Refusal } from '../refusal.ts';
import { pageHeaders } from './headers.ts';
import { FRAME_FEATURES } from './permissions-policy.ts';
import type { PageFile, PageFiles } from './page-files.ts';
import { PREVIEW_FRAME, previewFrameHeaders } from './preview-frame.ts';
import type { PreviewPlace } from '../preview/origin.ts';
import type { Runner } from './runner.ts';

const YEAR = 'public, max-age=31536000, immutable';
const ASSET = 'public, max-age=0, must-revalidate';

/** The page, its assets and the two frames. Registered last, since the page answers every other address. */
export function pageRoutes(
	app: ServerApp,
	configuration: Configuration,
	files: PageFiles,
	runner: Runner,
	preview: PreviewPlace
): void {
	const host = (c: ServerContext): string => c.req.header('host') ?? '';

	const serveRunner = (c: ServerContext): Response => {
		const version = c.req.query('v');
		if (!version || (runner.build !== undefined && version !== runner.build))
			throw new Refusal(404, 'other_build', 'This server has a different build of the sandbox frame. Reload the page.');
		return c.body(runner.html, 200, {
			'content-type': 'text/html; charset=utf-8',
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cache-control': YEAR,
			'permissions-policy': FRAME_FEATURES,
			...runner.headers
		});
	};
	const servePreview = (c: ServerContext): Response => c.body(PREVIEW_FRAME, 200, previewFrameHeaders(host(c)));
	const serveFile = async (c: ServerContext): Promise<Response> => {
		const file = await files.get(c.req.path);
		if (!file) throw new Refusal(404, 'not_found', 'There is no page at this address. Open / instead.');
		return sendFile(c, file, pageHeaders(configuration, host(c), preview.origins(host(c))));
	};

	route(app, '/runner', { GET: serveRunner, HEAD: serveRunner });
	route(app, '/preview-frame', { GET: servePreview, HEAD: servePreview });
	route(app, '*', { GET: serveFile, HEAD: serveFile });
}

function sendFile(c: ServerContext, file: PageFile, headers: Record<string, string>): Response {
	const common = {
		...headers,
		etag: file.etag,
		vary: 'accept-encoding',
		'cache-control': file.immutable ? YEAR : ASSET
	};
	// A browser would store the header that clears cookies with its cached copy of the file.
	if (hasTooManyCookies(c)) common['cache-control'] = 'no-store';
	else if (c.req.header('if-none-match') === file.etag) return c.body(null, 304, common);
	const gzipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '') ? file.gzipped : undefined;
	return c.body(new Uint8Array(gzipped ?? file.bytes), 200, {
		...common,
		'content-type': file.type,
		...(gzipped ? { 'content-encoding': 'gzip' } : {})
	});
}
