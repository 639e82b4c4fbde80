import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadConfiguration } from '../configuration/load.ts';
import { pageHeaders } from './headers.ts';
import { FRAME_FEATURES } from './permissions-policy.ts';
import { PREVIEW_FRAME, previewFrameHeaders } from './preview-frame.ts';
import { readRunner } from './runner.ts';

const YEAR = 'public, max-age=31536000, immutable';

/**
 * Writes the product for a static file host: the built page, the two frames, and the headers of each in the
 * `_headers` file that Cloudflare Pages and Netlify read. Such hosts answer `/runner` with `runner.html`.
 * Features that need a server (model proxy, git, npm and web proxy routes, stored shares) are missing.
 * @param pageDir the built page, `dist/page`
 * @param out emptied first
 * @param host the public host name, which the policies use to name the frames: `sandglass.example.org`
 * @param env `SANDGLASS_OWN_KEYS` and `SANDGLASS_CONNECT_HOSTS` define what the page may connect to directly
 * @throws ConfigurationError; Error with a readable message when the page is not built or the host is invalid
 */
export async function writeStaticSite(
	pageDir: string,
	out: string,
	host: string,
	env: Readonly<Record<string, string | undefined>> = {}
): Promise<void> {
	if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(host))
		throw new Error('Name the host of the site: node server/static.mjs sandglass.example.org');
	const configuration = loadConfiguration(env);
	const runner = await readRunner(pageDir);
	await rm(out, { recursive: true, force: true });
	await mkdir(out, { recursive: true });
	await cp(pageDir, out, { recursive: true });
	await rm(path.join(out, 'runner-headers.json'));
	await writeFile(path.join(out, 'preview-frame.html'), PREVIEW_FRAME);

	const page = pageHeaders(configuration, host, []);
	const rules: [address: string, headers: Record<string, string>][] = [['/', page]];
	for (const entry of await readdir(out, { withFileTypes: true })) {
		const address = `/${entry.name}${entry.isDirectory() ? '/*' : ''}`;
		if (address === '/assets/*') rules.push([address, { ...page, 'cache-control': YEAR }]);
		else if (address === '/preview-frame.html') rules.push(...twice('/preview-frame', previewFrameHeaders(host)));
		else if (address === '/runner.html')
			rules.push(
				...twice('/runner', { 'cache-control': YEAR, 'permissions-policy': FRAME_FEATURES, ...runner.headers })
			);
		else rules.push([address, page]);
	}
	// One rule per address: if two match, these hosts join their values, and two joined policies mean something
	// else.
	const text = rules.map(([address, headers]) =>
		[address, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
	);
	await writeFile(path.join(out, '_headers'), text.join('\n'));
}

/** Writes the headers for both addresses: with its extension, the file must not be a document on our origin either. */
const twice = (address: string, headers: Record<string, string>): [string, Record<string, string>][] => [
	[address, headers],
	[`${address}.html`, headers]
];
