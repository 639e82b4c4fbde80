import type { Server } from 'node:http';
import type { LookupFunction } from 'node:net';
import path from 'node:path';
import { createApp } from './app.ts';
import { isLoopback, loadConfiguration, type Configuration } from './configuration/load.ts';
import { npmRegistry } from './configuration/npm-registry.ts';
import { maxHeaderBytes } from './cookies.ts';
import { createHttpServer } from './http-server.ts';
import { listen } from './listen.ts';
import { LOCAL_SERVERS, type LocalServer } from './llm/local-servers.ts';
import { memoryCounters, type Counters } from './limits/counters.ts';
import { redisCounters } from './limits/redis-counters.ts';
import { createUpstream } from './llm/upstream.ts';
import type { MachineLeases } from './machines/leases.ts';
import { openMachines } from './machines/open.ts';
import { acceptMachineSockets } from './machines/socket.ts';
import { logToStdout, type Log } from './log.ts';
import { createGuard } from './outbound/guard.ts';
import { listenForPreviews, type PreviewPorts } from './preview/listen.ts';
import { previewPlace } from './preview/origin.ts';
import { openPageFiles } from './page/page-files.ts';
import { readRunner, type Runner } from './page/runner.ts';
import { RATE_LIMITS, type RateLimits } from './limits/rate-limit.ts';
import { createDiskStore } from './shares/disk-store.ts';
import { SHARE_QUOTA, type ShareQuota } from './shares/quota.ts';
import { createS3Store } from './shares/s3-store.ts';
import type { ShareStore } from './shares/store.ts';
import { shutDown } from './shutdown.ts';

export { ConfigurationError } from './configuration/load.ts';
export { writeStaticSite } from './page/static-site.ts';

export interface StartOptions {
	/** The settings; `process.env` when absent. */
	env?: Readonly<Record<string, string | undefined>>;
	/** The built page. */
	pageDir?: string;
	/** Overrides the runner in `pageDir`. */
	runner?: Runner;
	log?: Log;
	/** Replaces the system's resolver for the proxy routes, in tests. */
	lookup?: LookupFunction;
	/** Overrides the share store from the settings. */
	shares?: ShareStore;
	rateLimits?: Partial<RateLimits>;
	shareQuota?: ShareQuota;
	/** Addresses checked for model servers on this machine. */
	localServers?: readonly LocalServer[];
	version?: string;
	/** Time that streams in flight may continue after `close`. */
	graceMs?: number;
}

export interface RunningServer {
	/** `http://localhost:5173`, without a trailing slash. */
	url: string;
	/** Accepts no new connections, lets streams in flight finish for `graceMs`, then cuts them. */
	close(): Promise<void>;
}

const SWEEP_MS = 60 * 60_000;
const MACHINE_SWEEP_MS = 60_000;
const GRACE_MS = 10_000;

/**
 * Starts the whole server.
 * @throws ConfigurationError naming each wrong variable; Error with a readable message if the page is not built or the
 * port is in use
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
	const env = options.env ?? process.env;
	const log = options.log ?? logToStdout;
	const configuration = loadConfiguration(env);
	const pageDir = options.pageDir ?? path.resolve('dist/page');
	const [files, runner, registry] = await Promise.all([
		openPageFiles(pageDir),
		options.runner ?? readRunner(pageDir),
		configuration.NPM_REGISTRY ?? npmRegistry(env)
	]);

	let port = configuration.PORT;
	let previewPorts: readonly number[] = [];
	const hosts = (): readonly string[] => acceptedHosts(configuration, port);
	const policy = {
		allowHosts: configuration.SANDGLASS_ALLOW_HOSTS,
		ownHosts: () => [...hosts(), `[::1]:${port}`, `0.0.0.0:${port}`, `[::]:${port}`]
	};
	const guard = createGuard(policy, options.lookup);
	const upstream = createUpstream();
	const shares = options.shares ?? shareStoreOf(configuration);
	const counters = await openCounters(configuration, log);
	const machines = openMachines(configuration);
	const app = createApp({
		configuration,
		machines,
		version: options.version ?? '0.1.0',
		files,
		runner,
		guard,
		policy,
		upstream,
		shares,
		npmRegistry: registry,
		localServers: options.localServers ?? (isLoopback(configuration.HOST) ? LOCAL_SERVERS : []),
		rateLimits: { ...RATE_LIMITS, ...options.rateLimits },
		counters,
		shareQuota: options.shareQuota ?? SHARE_QUOTA,
		log,
		hosts,
		preview: previewPlace(configuration, () => ({ page: port, previews: previewPorts }), hosts)
	});
	const createServer = (): Server => createHttpServer(app.fetch, maxHeaderBytes(configuration.HOST));
	const server = createServer();
	if (machines) acceptMachineSockets(server, machines, hosts);
	let previews: PreviewPorts;
	try {
		port = await listen(server, configuration.PORT, configuration.HOST);
		previews = await listenForPreviews(configuration, port, createServer);
		previewPorts = previews.ports;
	} catch (error) {
		counters.close(); // its connection would keep the process running
		throw error;
	}

	const stopSweeping = startSweeping(shares, machines, log);
	let closing: Promise<void> | undefined;
	return {
		url: `http://${isLoopback(configuration.HOST) && configuration.HOST !== '::1' ? configuration.HOST : 'localhost'}:${port}`,
		close() {
			stopSweeping();
			closing ??= Promise.all([
				machines?.close(),
				shutDown(server, options.graceMs ?? GRACE_MS),
				previews.close()
			]).then(() => {
				guard.close();
				upstream.close();
				counters.close();
			});
			return closing;
		}
	};
}

/** Removes expired shares and machines, now and periodically. @returns a function that stops it */
function startSweeping(shares: ShareStore, machines: MachineLeases | undefined, log: Log): () => void {
	const report = (what: string) => (error: unknown) =>
		log({ time: new Date().toISOString(), error: `Sweeping ${what}: ${String(error)}` });
	const sweepShares = () => void shares.sweep().catch(report('shares'));
	const sweepMachines = () => void machines?.sweep().catch(report('machines'));
	sweepShares();
	sweepMachines();
	const timers = [setInterval(sweepShares, SWEEP_MS), setInterval(sweepMachines, MACHINE_SWEEP_MS)];
	for (const timer of timers) timer.unref();
	return () => timers.forEach((timer) => clearInterval(timer));
}

/** Opens counters in Redis, for several servers that share it, if configured; otherwise in memory. */
async function openCounters({ REDIS_URL }: Configuration, log: Log): Promise<Counters> {
	if (!REDIS_URL) return memoryCounters();
	return redisCounters(REDIS_URL, (warning) => log({ time: new Date().toISOString(), warning }));
}

function shareStoreOf({ s3, SHARES_DIR }: Configuration): ShareStore {
	return s3 ? createS3Store(s3) : createDiskStore(path.resolve(SHARES_DIR));
}

/** IPv6 literals are omitted: a CSP cannot name them, so the page would have no sandbox there. */
function acceptedHosts({ HOST, SANDGLASS_HOSTS }: Configuration, port: number): string[] {
	const own = [`localhost:${port}`, `127.0.0.1:${port}`];
	const named = /^(0\.0\.0\.0|::|.*:.*)$/.test(HOST) ? [] : [`${HOST.toLowerCase()}:${port}`];
	return [...new Set([...SANDGLASS_HOSTS, ...own, ...named])];
}
