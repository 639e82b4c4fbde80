import { spawn } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';

export interface GitServer {
	/** `http://127.0.0.1:<port>`, without a trailing slash; repositories are `<url>/<folder in dir>`. */
	url: string;
	/** Requests so far, without bodies. */
	requests: { method: string; url: string; headers: http.IncomingHttpHeaders }[];
	close(): Promise<void>;
}

/**
 * Serves the bare repositories in `dir` with the real `git http-backend`, and their tarballs as Gitea
 * does (`/<repo>/archive/<ref>.tar.gz`) with the real `git archive`. Pushing is allowed.
 * @param authorization if given, every request must have exactly this `Authorization`
 * @param options `publicReads` requires it only for pushes; `api` answers requests below `/api/` and `/login/`
 */
export async function startGitServer(
	dir: string,
	authorization?: string,
	options: {
		publicReads?: boolean;
		api?: (request: http.IncomingMessage, response: http.ServerResponse) => void;
	} = {}
): Promise<GitServer> {
	const requests: GitServer['requests'] = [];
	const backend = path.join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
	const server = http.createServer((request, response) => {
		const url = new URL(request.url ?? '/', 'http://git.invalid');
		requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
		if (options.api && /^\/(api|login)\//.test(url.pathname)) return options.api(request, response);
		const open = options.publicReads === true && !/git-receive-pack/.test(request.url ?? '');
		if (!open && authorization !== undefined && request.headers.authorization !== authorization) {
			response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
			return;
		}
		const archive = /^\/(.+?)\/archive\/(.+)\.tar\.gz$/.exec(url.pathname);
		if (archive) sendArchive(response, dir, archive[1] ?? '', decodeURIComponent(archive[2] ?? ''));
		else runBackend(request, response, backend, dir, url);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The git server has no port.');
	return {
		url: `http://127.0.0.1:${address.port}`,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			})
	};
}

/** `repository` may lack the `.git` of its folder. */
function sendArchive(response: http.ServerResponse, dir: string, repository: string, ref: string): void {
	const name = path.basename(repository, '.git');
	const script = 'cd "$0" 2>/dev/null || cd "$0.git" || exit 1; exec git archive --format=tar.gz --prefix="$1/" "$2"';
	const git = spawn('sh', ['-c', script, path.join(dir, repository), name, ref], {
		stdio: ['ignore', 'pipe', 'ignore']
	});
	git.stdout.once('readable', () => {
		if (git.stdout.readableLength === 0) return;
		response.writeHead(200, { 'content-type': 'application/gzip' });
		git.stdout.pipe(response);
	});
	git.once('close', () => {
		if (!response.headersSent) response.writeHead(404).end();
	});
}

function runBackend(
	request: http.IncomingMessage,
	response: http.ServerResponse,
	backend: string,
	dir: string,
	url: URL
): void {
	const { headers } = request;
	const git = spawn(backend, [], {
		env: {
			PATH: process.env['PATH'] ?? '',
			GIT_PROJECT_ROOT: dir,
			GIT_HTTP_EXPORT_ALL: '1',
			GIT_CONFIG_COUNT: '3',
			GIT_CONFIG_KEY_0: 'http.receivepack',
			GIT_CONFIG_VALUE_0: 'true',
			GIT_CONFIG_KEY_1: 'uploadpack.allowFilter',
			GIT_CONFIG_VALUE_1: 'true',
			GIT_CONFIG_KEY_2: 'safe.directory',
			GIT_CONFIG_VALUE_2: '*',
			GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
			REQUEST_METHOD: request.method ?? 'GET',
			PATH_INFO: decodeURIComponent(url.pathname),
			QUERY_STRING: url.search.slice(1),
			CONTENT_TYPE: headers['content-type'] ?? '',
			HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
			REMOTE_ADDR: '127.0.0.1',
			REMOTE_USER: 'tester'
		},
		stdio: ['pipe', 'pipe', 'inherit']
	});
	request.pipe(git.stdin);
	git.stdin.once('error', () => undefined); // the backend may answer without reading the whole body
	let head: Buffer = Buffer.alloc(0);
	const readHead = (chunk: Buffer): void => {
		head = Buffer.concat([head, chunk]);
		const end = head.indexOf('\r\n\r\n');
		if (end < 0) return;
		git.stdout.off('data', readHead);
		let status = 200;
		for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
			const at = line.indexOf(':');
			const name = line.slice(0, at);
			const value = line.slice(at + 1).trim();
			if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
			else response.setHeader(name, value);
		}
		response.writeHead(status);
		response.write(head.subarray(end + 4));
		git.stdout.pipe(response);
	};
	git.stdout.on('data', readHead);
	git.once('close', () => {
		if (!response.headersSent) response.writeHead(500).end();
	});
	response.once('close', () => git.kill());
}
