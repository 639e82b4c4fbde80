import type { SessionApi } from '#agent/api.ts';
import type { Profile } from '#agent/profile.ts';
import type { Client } from '#llm/types.ts';
import { loadProject, loadRest } from './ahead.ts';
import { DEMO } from './demo-choice.ts';
import { DEMO_PROJECT } from './demos.ts';
import { archiveThroughLedger } from './egress/archive-fetch.ts';
import { followingRedirects } from './egress/follow-redirects.ts';
import { createEgress } from './egress/in-browser.ts';
import type { EgressLedger } from './egress/ledger.ts';
import { pausesForQuestions } from './egress/pauses.ts';
import type { AgentStart, ModelChoice, Parts } from './parts.ts';
import { isWebContainerChosen, openPageEnvironment } from './page-environment.ts';
import { SpareEnvironment } from './spare-environment.ts';
import { t } from './strings/index.ts';

let client: Client | null = null;

/** The real parts, each loaded when first used. */
export function partsInBrowser(): Parts {
	const { ledger: egress, askHost } = createEgress();
	let crashed: (reason: string) => void = () => {};
	const spare = new SpareEnvironment(async (listener) => {
		const { createWasmEnvironment } = await import('#computer/host/environment.ts');
		const makeWasm = () =>
			createWasmEnvironment({
				egress: followingRedirects(egress),
				pauses: pausesForQuestions(egress),
				onCrash: (reason) => listener.crashed(reason),
				onStart: (memory) => memory === 'snapshot' && listener.notice(t.engine.snapshot)
			});
		return openPageEnvironment(makeWasm, (notice) => listener.notice(notice));
	});
	const missing = (): string | null => (globalThis.crossOriginIsolated ? null : t.engine.isolated);
	const mayStartAhead = (): boolean => !isWebContainerChosen() && missing() === null;
	const prepareDemo = (): void =>
		void import('#workspace/import/sample.ts')
			.then(({ askForSample }) => askForSample(DEMO_PROJECT, location.origin))
			.catch(() => {});
	return {
		egress,
		askHost,
		version: '0.1.0',
		modes: ['plan', 'ask', 'auto-edit', 'full', 'fork'],
		previewFrameUrl: '/preview-frame',
		missing,
		prepare: loadProject,
		prepareComputer() {
			if (mayStartAhead()) spare.prepare();
		},
		prepareDemo,
		prepareAll() {
			if (mayStartAhead()) spare.prepareFully();
			loadProject();
			loadRest();
			prepareDemo();
		},
		async openStore() {
			const { openSessionStore } = await import('#session/store.ts');
			return openSessionStore();
		},
		createEnvironment(onNotice) {
			egress.reset();
			return spare.take({ notice: (notice) => onNotice?.(notice), crashed: (reason) => crashed(reason) });
		},
		onCrash(listener) {
			crashed = listener;
		},
		async allowOrigin(source) {
			if (source.kind !== 'git') return;
			const { parseGitUrl } = await import('#workspace/import/git-url.ts');
			egress.allow(new URL(parseGitUrl(source.url).url).host);
		},
		async importRepository(source, environment, options) {
			const { importRepository } = await import('#workspace/import/import.ts');
			const send = options?.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request));
			return importRepository(source, environment, { ...options, fetch: archiveThroughLedger(egress, send) });
		},
		async openWorkspace(environment, origin, stored) {
			const [{ Workspace }, { storeBaseline, readBaseline }] = await Promise.all([
				import('#workspace/workspace.ts'),
				import('./project/stored-baseline.ts')
			]);
			const baseline = (await readBaseline(stored)) ?? stored.checkpoints()[0]?.tree;
			return Workspace.open({
				environment,
				origin,
				store: stored,
				baseline,
				onBaseline: (kept) => {
					if (stored.writable) storeBaseline(stored, kept).catch((error: unknown) => console.warn(error));
				}
			});
		},
		async models() {
			const { availableModels } = await import('./browser-models.ts');
			return availableModels();
		},
		demoModel: () => DEMO,
		async demoTask(demo) {
			if (demo === 'page') return (await import('#llm/scenario/page-scenario.ts')).pageTask;
			return (await import('#llm/scenario/demo-scenario.ts')).demoTask;
		},
		startAgent: (start) => startAgent(start, egress),
		async changeModel(agent, choice) {
			agent.setModel(await profileOf(choice));
		},
		async writeText(choice, order, onText) {
			const [{ browserClient }, { writeText }] = await Promise.all([
				import('./browser-models.ts'),
				import('./write-text.ts')
			]);
			return writeText((client ??= browserClient()), choice, order, onText);
		},
		share: {
			describe: async (...request) => (await shares()).describe(...request),
			create: async (...request) => (await shares()).create(...request),
			open: async (address) => (await shares()).open(address),
			delete: async (share) => (await shares()).delete(share),
			exportFile: async (...request) => (await shares()).exportFile(...request),
			openFile: async (...request) => (await shares()).openFile(...request)
		}
	};
}

async function startAgent({ workspace, choice, ...start }: AgentStart, egress: EgressLedger): Promise<SessionApi> {
	const [{ Session }, { browserClient }, { pageThroughLedger }, profile] = await Promise.all([
		import('#agent/session.ts'),
		import('./browser-models.ts'),
		import('./egress/web-page.ts'),
		profileOf(choice)
	]);
	client ??= browserClient();
	return new Session({
		...start,
		profile,
		client,
		compaction: true,
		fetchPage: pageThroughLedger(egress),
		network: { allowed: () => egress.allowedHosts, allow: (hosts) => egress.allowDuring(hosts) },
		scaleImage: async (image, limits) => (await import('./images/scale-image.ts')).scaleImage(image, limits),
		checkpoint: (label) => workspace.takeCheckpoint(label, start.log.leafId())
	});
}

async function profileOf({ model, provider }: ModelChoice): Promise<Profile> {
	const { profileForModel } = await import('#agent/profiles/for-model.ts');
	return profileForModel(model, provider);
}

async function shares() {
	const { Shares } = await import('#session/share/share.ts');
	return new Shares(`${location.origin}${location.pathname}`);
}
