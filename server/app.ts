import { Hono } from 'hono';
import { serverConfig } from './about.ts';
import type { Configuration } from './configuration/load.ts';
import type { ServerApp, ServerEnvironment } from './context.ts';
import { clearForeignCookies } from './cookies.ts';
import { errorResponse } from './error-response.ts';
import { archiveStyles } from './proxy/archive-address.ts';
import { archiveRoute } from './proxy/archive.ts';
import { egressRoute } from './proxy/egress.ts';
import { fetchRoute } from './proxy/fetch.ts';
import { gitRoutes } from './proxy/git.ts';
import { npmRoute } from './proxy/npm.ts';
import { gitHubRoutes } from './github/sign-in.ts';
import { health } from './health.ts';
import { clientAddress } from './limits/client-address.ts';
import type { Counters } from './limits/counters.ts';
import { createLocalModels, type LocalServer } from './llm/local-servers.ts';
import { providersOf, type Provider } from './llm/providers.ts';
import { llmRoutes } from './llm/routes.ts';
import type { Upstream } from './llm/upstream.ts';
import { observe, type Log } from './log.ts';
import type { MachineLeases } from './machines/leases.ts';
import { machineRoutes } from './machines/routes.ts';
import { route } from './methods.ts';
import { createMetrics } from './metrics.ts';
import type { AddressPolicy } from './outbound/address-check.ts';
import type { Guard } from './outbound/guard.ts';
import { apiHeaders } from './page/headers.ts';
import type { PageFiles } from './page/page-files.ts';
import { pageRoutes } from './page/routes.ts';
import type { Runner } from './page/runner.ts';
import type { PreviewPlace } from './preview/origin.ts';
import { servePreviews } from './preview/serve.ts';
import { createRateLimit, limitRate, RATE_WINDOW_S, type RateLimit, type RateLimits } from './limits/rate-limit.ts';
import { Refusal } from './refusal.ts';
import { createQuota, QUOTA_WINDOW_S, type ShareQuota } from './shares/quota.ts';
import { MAX_SHARE_BYTES, shareRoutes } from './shares/routes.ts';
import type { ShareStore } from './shares/store.ts';
import { BUDGET_WINDOW_S, createBudgets } from './spending/budgets.ts';
import { checkCaller, checkHost, checkToken } from './who-may-call.ts';

const MAX_LLM_REQUEST_BYTES = 32 * 2 ** 20;
/** Timeout of model calls: some models think for minutes before they send the first byte. */
const LLM_SILENCE_MS = 15 * 60_000;

export interface AppParts {
	configuration: Configuration;
	version: string;
	files: PageFiles;
	runner: Runner;
	guard: Guard;
	policy: AddressPolicy;
	upstream: Upstream;
	shares: ShareStore;
	npmRegistry: string;
	localServers: readonly LocalServer[];
	rateLimits: RateLimits;
	counters: Counters;
	shareQuota: ShareQuota;
	log: Log;
	/** `Host` values this server accepts. */
	hosts: () => readonly string[];
	preview: PreviewPlace;
	/** Absent if this server offers no machines. */
	machines: MachineLeases | undefined;
}

/** Assembles the routes and the middleware in front of them; independent of sockets. */
export function createApp(parts: AppParts): Hono<ServerEnvironment> {
	const { configuration, log } = parts;
	const app = new Hono<ServerEnvironment>();
	const metrics = createMetrics(() => parts.machines?.counts() ?? new Map());
	const limitPerMinute = (what: keyof RateLimits) =>
		createRateLimit(parts.counters.counter(what, RATE_WINDOW_S, 'count-here'), parts.rateLimits[what]);

	app.onError((error, c) => errorResponse(error, c, log));
	app.use(
		observe((request) => {
			metrics.count(request);
			log({ time: new Date().toISOString(), ...request });
		})
	);
	app.use(servePreviews(parts.preview, parts.hosts));
	route(app, '/api/health', { GET: health(parts.version, parts.counters, parts.machines) });
	app.use(async (c, next) => {
		c.set('client', clientAddress(c.env.incoming, configuration.SANDGLASS_TRUST_PROXY));
		await next();
	});
	app.use(checkHost(parts.hosts));
	app.use(clearForeignCookies);
	for (const path of ['/api/*', '/metrics']) {
		app.use(path, checkCaller);
		app.use(path, checkToken(configuration.SANDGLASS_TOKEN, limitPerMinute('wrongTokens')));
	}
	if (configuration.SANDGLASS_METRICS)
		route(app, '/metrics', {
			GET: (c) => c.text(metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4' })
		});
	const styles = archiveStyles(configuration.SANDGLASS_ARCHIVE_HOSTS);
	app.use('/api/llm/*', limitRate(limitPerMinute('llm')));
	modelRoutes(app, parts, [...styles.keys()]);
	const limitOutbound = limitRate(limitPerMinute('outbound'));
	for (const name of ['git', 'archive', 'npm', 'fetch', 'egress', 'github']) app.use(`/api/${name}/*`, limitOutbound);
	gitRoutes(app, parts.guard);
	archiveRoute(app, parts.guard, parts.policy, styles);
	npmRoute(app, parts.guard, parts.npmRegistry);
	fetchRoute(app, parts.guard);
	egressRoute(app, parts.guard);
	const { SANDGLASS_GITHUB_CLIENT_ID: clientId, SANDGLASS_GITHUB_URL: url } = configuration;
	if (clientId !== undefined) gitHubRoutes(app, parts.guard, { clientId, url });
	if (parts.machines) machineRoutes(app, parts.machines, limitPerMinute('machines'));
	limitedShareRoutes(app, parts, limitPerMinute('shares'));
	app.all('/api/*', () => {
		throw new Refusal(404, 'not_found', 'Unknown API address. /api/config lists what this server offers.');
	});
	pageRoutes(app, configuration, parts.files, parts.runner, parts.preview);
	return app;
}

/** `/api/config`, which lists the providers, and `/api/llm/*`, which reaches them. */
function modelRoutes(app: ServerApp, parts: AppParts, archiveHosts: string[]): void {
	const { configuration, log } = parts;
	const providers = providersOf(configuration);
	const local = createLocalModels(parts.localServers);
	const budgets = createBudgets(parts.counters.counter('spent', BUDGET_WINDOW_S, 'fail'), {
		perKeyUsd: configuration.SANDGLASS_DAILY_USD,
		perGuestUsd: configuration.SANDGLASS_LEND ? configuration.SANDGLASS_GUEST_USD : undefined
	});
	route(app, '/api/config', {
		GET: async (c) => {
			const found = (await local.poll()).filter(({ id }) => !providers.has(id));
			const budgetOf = async ({ id, key }: Provider) =>
				budgets && key ? budgets.remaining(id, c.get('client')) : null;
			const body = await serverConfig(parts.version, configuration, [...providers.values(), ...found], budgetOf, {
				requestBytes: MAX_LLM_REQUEST_BYTES,
				npmRegistry: parts.npmRegistry,
				archiveHosts,
				previewOrigins: parts.preview.origins(c.req.header('host') ?? ''),
				machines: parts.machines !== undefined
			});
			return c.json(body, 200, apiHeaders);
		}
	});
	llmRoutes(app, {
		find: async (id) => providers.get(id) ?? local.find(id),
		upstream: parts.upstream,
		maxRequestBytes: MAX_LLM_REQUEST_BYTES,
		timeoutMs: LLM_SILENCE_MS,
		budgets,
		notCounted: (error) => log({ time: new Date().toISOString(), error: `Counting a cost: ${String(error)}` })
	});
}

/** Routes of shares, limited by rate and by the amount a client has stored today. */
function limitedShareRoutes(app: ServerApp, parts: AppParts, limitUploads: RateLimit): void {
	const counter = parts.counters.counter('shared', QUOTA_WINDOW_S, 'count-here');
	const limitStored = createQuota(counter, parts.shareQuota, MAX_SHARE_BYTES);
	shareRoutes(app, parts.shares, async (c) => {
		await limitUploads(c);
		await limitStored(c);
	});
}
