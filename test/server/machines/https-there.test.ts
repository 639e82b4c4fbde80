import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as send, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { writeTar } from '#environment/archive/tar-format.ts';
import type { PrefixExecutionEnvironment } from '#environment/prefix/environment.ts';
import type { EgressAuthority } from '#environment/prefix/egress-tunnels.ts';
import { egressOf } from '#environment/remote/egress.ts';
import { EgressLedger } from '#page/egress/ledger.ts';
import { answerThroughLedger } from '#page/egress/machine-requests.ts';
import { createAuthority } from '#server/machines/authority.ts';
import type { MachineProvider } from '#server/machines/contract.ts';
import { dockerProvider } from '#server/machines/docker.ts';
import { addPackages, missingPackages } from './debian-root.ts';
import { IMAGE, startDaemon, type Daemon } from './docker-daemon.ts';

const PACKAGES = ['curl', 'git', 'python3', 'libstdc++6'];
const NPM = 'node /usr/lib/node_modules/npm/bin/npm-cli.js';
const MB = 2 ** 20;
const LIMITS = { cpus: 2, memoryBytes: 1_024 * MB, pids: 256, diskBytes: 128 * MB, lifetimeS: 600 };
const run = promisify(execFile);

/** Adds Debian packages, and this computer's Node with its npm and pip. */
async function addPrograms(root: string): Promise<void> {
	const pip = (await missingPackages('python3-pip')) === undefined ? ['python3-pip'] : [];
	await addPackages(root, ...PACKAGES, ...pip);
	const npm = path.resolve(process.execPath, '../../lib/node_modules/npm');
	await cp(process.execPath, path.join(root, 'usr/bin/node'), { dereference: true });
	await mkdir(path.join(root, 'usr/lib/node_modules'), { recursive: true });
	if (!existsSync(npm)) return;
	await cp(npm, path.join(root, 'usr/lib/node_modules/npm'), { recursive: true, dereference: true });
}

const missing = await missingPackages(...PACKAGES);
const started = missing === undefined ? await startDaemon(addPrograms) : { reason: missing };
const reason = 'reason' in started ? started.reason : undefined;

/** A server on the loopback with certificates for every name, which stands in for the internet. */
class Internet {
	readonly #repositories: string;
	readonly hosts: string[] = [];
	readonly #server: Server;

	private constructor(
		private readonly authority: EgressAuthority,
		repositories: string
	) {
		this.#repositories = repositories;
		this.#server = createServer(
			{ SNICallback: (name, done) => void authority.contextFor(name).then((context) => done(null, context), done) },
			(request, response) => void this.#answer(request, response)
		);
	}

	static async start(repositories: string): Promise<Internet> {
		const internet = new Internet(await createAuthority(), repositories);
		await new Promise<void>((resolve) => internet.#server.listen(0, '127.0.0.1', resolve));
		return internet;
	}

	/** Sends a request like Sandglass's server, and checks the certificate. */
	readonly send = async ({ url, method, headers, body }: WireRequest): Promise<WireResponse> => {
		const { hostname, pathname, search } = new URL(url);
		const { port } = this.#server.address() as AddressInfo;
		const answer = await new Promise<IncomingMessage>((resolve, reject) => {
			const options = { host: '127.0.0.1', port, servername: hostname, ca: this.authority.certificate, method };
			const own = { ...Object.fromEntries(headers), host: hostname };
			send({ ...options, path: pathname + search, headers: own }, resolve)
				.on('error', reject)
				.end(body ?? undefined);
		});
		const chunks: Buffer[] = [];
		for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
		const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
		const type: [string, string] = ['content-type', answer.headers['content-type'] ?? 'text/plain'];
		return { status, statusText, headers: [type], url, body: new Uint8Array(Buffer.concat(chunks)) };
	};

	async stop(): Promise<void> {
		await new Promise((resolve) => this.#server.close(resolve));
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { host = '' } = request.headers;
		const { pathname } = new URL(request.url ?? '/', 'https://internet');
		this.hosts.push(host);
		if (host === 'registry.npmjs.org') return answerAsRegistry(pathname, response);
		if (host === 'pypi.org' || host === 'files.pythonhosted.org') return answerAsIndex(pathname, response);
		const file = host === 'git.example' ? path.join(this.#repositories, pathname) : undefined;
		const content =
			file === undefined ? Buffer.from(`${host} says hello`) : await readFile(file).catch(() => undefined);
		response.writeHead(content ? 200 : 404).end(content);
	}
}

const PACKAGE = { name: 'from-far-away', version: '1.0.0' };
const TARBALL = gzipSync(
	writeTar(
		Object.entries({ 'package.json': JSON.stringify(PACKAGE), 'index.js': 'module.exports = "installed";' }).map(
			([name, content]) => ({
				name: `package/${name}`,
				kind: 'file',
				mode: 0o644,
				modifiedMs: 0,
				target: '',
				bytes: new TextEncoder().encode(content)
			})
		)
	)
);

function answerAsRegistry(pathname: string, response: ServerResponse): void {
	if (pathname.endsWith('.tgz')) return void response.end(TARBALL);
	const dist = {
		tarball: 'https://registry.npmjs.org/from-far-away/-/from-far-away-1.0.0.tgz',
		shasum: createHash('sha1').update(TARBALL).digest('hex')
	};
	const versions = { [PACKAGE.version]: { ...PACKAGE, dist } };
	const document = { name: PACKAGE.name, 'dist-tags': { latest: PACKAGE.version }, versions };
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify(pathname === `/${PACKAGE.name}` ? document : {}));
}

const WHEEL_NAME = 'from_far_away-1.0.0-py3-none-any.whl';
const WHEEL = zipSync(
	Object.fromEntries(
		Object.entries({
			'from_far_away.py': 'SAYS = "installed"\n',
			'from_far_away-1.0.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: from-far-away\nVersion: 1.0.0\n',
			'from_far_away-1.0.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
			'from_far_away-1.0.0.dist-info/RECORD': ''
		}).map(([name, content]) => [name, new TextEncoder().encode(content)])
	)
);

/** Answers like the Python package index, with its pages of links (PEP 503). */
function answerAsIndex(pathname: string, response: ServerResponse): void {
	if (pathname.endsWith('.whl')) return void response.end(WHEEL);
	const isPackage = pathname === `/simple/${PACKAGE.name}/`;
	const digest = createHash('sha256').update(WHEEL).digest('hex');
	const link = `<a href="https://files.pythonhosted.org/packages/${WHEEL_NAME}#sha256=${digest}">${WHEEL_NAME}</a>`;
	response.writeHead(isPackage ? 200 : 404, { 'content-type': 'text/html' });
	response.end(isPackage ? `<!doctype html><title>Links</title>${link}` : '');
}

describe.skipIf(reason !== undefined)(
	`https of a container without a network${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	() => {
		const daemon = started as Daemon;
		let provider: MachineProvider;
		let environment: PrefixExecutionEnvironment;
		let internet: Internet;
		let ledger: EgressLedger;
		let directory: string;
		let id: string;

		beforeAll(async () => {
			directory = await mkdtemp(path.join(tmpdir(), 'sandglass-internet-'));
			internet = await Internet.start(directory);
			provider = dockerProvider({ ...LIMITS, engine: daemon.socket, image: IMAGE, owner: 'https' });
			({ id } = await provider.create());
			environment = (await provider.attach(id)) as PrefixExecutionEnvironment;
			ledger = new EgressLedger(internet.send, async () => ({ ownHost: 'sandglass.example', allowedPrivate: [] }));
			egressOf(environment)?.serve(answerThroughLedger(ledger));
		}, 180_000);

		afterAll(async () => {
			await environment?.cleanup();
			await provider?.destroy(id);
			await daemon.stop();
			await internet?.stop();
			await rm(directory, { recursive: true, force: true });
		}, 120_000);

		it('asks the user about the host, and gives the answer or a clear 403 to the program', async () => {
			const allowed = environment.exec('curl -sS https://allowed.example/');
			await expect.poll(() => ledger.questions, { timeout: 20_000 }).toMatchObject([{ host: 'allowed.example' }]);
			expect(internet.hosts).toEqual([]);
			ledger.decide(ledger.questions[0]?.id ?? 0, 'session');
			expect(await allowed).toMatchObject({ stdout: 'allowed.example says hello', stderr: '', exitCode: 0 });
			const denied = environment.exec('curl -sS -w "%{http_code}" https://denied.example/');
			await expect.poll(() => ledger.questions, { timeout: 20_000 }).toMatchObject([{ host: 'denied.example' }]);
			ledger.decide(ledger.questions[0]?.id ?? 0, 'deny');
			expect((await denied).stdout).toMatch(/denied\.example was not allowed.*\n403$/);
			expect(internet.hosts).toEqual(['allowed.example']);
			expect(ledger.entries).toMatchObject([
				{ url: 'https://allowed.example/', outcome: 'done', status: 200 },
				{ url: 'https://denied.example/', outcome: 'refused' }
			]);
		}, 60_000);

		it('is reached by python3', async () => {
			ledger.allow('python.example');
			const script = 'import urllib.request as u; print(u.urlopen("https://python.example/").read().decode())';
			const result = await environment.exec(`python3 -c '${script}'`);
			expect(result).toMatchObject({ stdout: 'python.example says hello\n', exitCode: 0 });
		}, 60_000);

		it('is reached by git, which clones', async () => {
			ledger.allow('git.example');
			const origin = path.join(directory, 'project.git');
			const git = (...args: string[]) => run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args]);
			const work = path.join(directory, 'work');
			await git('init', '-q', work);
			await writeFile(path.join(work, 'file.txt'), 'committed\n');
			await git('-C', work, 'add', '.');
			await git('-C', work, 'commit', '-qm', 'first');
			await git('clone', '-q', '--bare', work, origin);
			await git('-C', origin, 'update-server-info');
			const result = await environment.exec('git clone -q https://git.example/project.git && cat project/file.txt');
			expect(result).toMatchObject({ stdout: 'committed\n', exitCode: 0 });
		}, 60_000);

		it('is reached by npm, which installs', async ({ skip }) => {
			if ((await environment.exec(`${NPM} --version`)).exitCode !== 0) skip('Node has no npm beside it here.');
			ledger.allow('registry.npmjs.org');
			await environment.writeFile('package.json', '{}');
			const result = await environment.exec(
				`${NPM} install --no-audit --no-fund --no-update-notifier --loglevel=error ${PACKAGE.name} && node -p 'require("${PACKAGE.name}")'`
			);
			expect(`${result.stderr}${result.stdout}`).toMatch(/added 1 package[^]*\ninstalled\n$/);
		}, 120_000);

		it('is reached by pip, which installs, and asks about both of its hosts', async ({ skip }) => {
			if ((await environment.exec('python3 -m pip --version')).exitCode !== 0)
				skip('python3-pip is not installed here.');
			const install = 'python3 -m pip install --no-cache-dir --disable-pip-version-check -q --target there';
			const installing = environment.exec(
				`${install} ${PACKAGE.name} && PYTHONPATH=there python3 -c 'import from_far_away; print(from_far_away.SAYS)'`
			);
			for (const host of ['pypi.org', 'files.pythonhosted.org']) {
				await expect.poll(() => ledger.questions, { timeout: 60_000 }).toMatchObject([{ host }]);
				ledger.decide(ledger.questions[0]?.id ?? 0, 'session');
			}
			expect(await installing).toMatchObject({ stdout: 'installed\n', exitCode: 0 });
		}, 120_000);
	}
);
