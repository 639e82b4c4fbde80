import type { SessionApi } from '#agent/api.ts';
import type { AgentResult } from '#agent/events.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { PreviewControl } from '#environment/preview.ts';
import type { ImportSource, WorkspaceApi } from '#workspace/contract.ts';
import type { AppState } from './app-state.svelte.ts';
import { storeLink } from './share/stored-shares.ts';
import { t } from './strings/index.ts';

/** Sources of {@link SandglassApi.importRepository}. */
export type ImportRequest =
	{ url: string; ref?: string } | { files: Record<string, string | Uint8Array> } | { zip: Blob | Uint8Array };

/** `window.sandglass`: for automation and embedding, over the same objects that the page uses. */
export interface SandglassApi {
	readonly version: string;
	/** `null` until a project is open, as are the next three. */
	readonly environment: ExecutionEnvironment | null;
	readonly session: SessionApi | null;
	readonly workspace: WorkspaceApi | null;
	/** Preview as used by the agent's tool `preview`. */
	readonly preview: PreviewControl | null;
	/** Resolves when the files exist and the project is displayed. Rejects with the errors that the page explains. */
	importRepository(request: ImportRequest): Promise<void>;
	/** Gives the agent a task and resolves when the run ends; errors of the run are in the result. */
	ask(text: string): Promise<AgentResult>;
	/**
	 * Creates a link to the current session; anything that looks like a secret is removed. Times are ms since the epoch.
	 */
	share(): Promise<{ url: string; expiresAt?: number }>;
}

declare global {
	interface Window {
		sandglass?: SandglassApi;
	}
}

const DAY_SECONDS = 24 * 60 * 60;

export function installSandglassApi(app: AppState): void {
	window.sandglass = {
		version: app.parts.version,
		get environment() {
			return app.project?.environment ?? null;
		},
		get session() {
			return app.project?.session ?? null;
		},
		get workspace() {
			return app.project?.workspace ?? null;
		},
		get preview() {
			return app.project?.preview ?? null;
		},
		async importRepository(request) {
			await app.leave();
			await app.import(sourceOf(request));
		},
		async ask(text) {
			return open(app).ask(text);
		},
		async share() {
			const { workspace, stored } = open(app);
			if (!app.parts.share) throw new Error(t.share.unavailable);
			const request = { expiresInSeconds: 30 * DAY_SECONDS, viewOnly: false, keepSecrets: [], history: true };
			const created = await app.parts.share.create(workspace, stored, request);
			storeLink(stored.summary, created);
			const { url, expiresAt } = created;
			return expiresAt === undefined ? { url } : { url, expiresAt };
		}
	};
}

function open(app: AppState): NonNullable<AppState['project']> {
	if (!app.project) throw new Error(t.noProject);
	return app.project;
}

function sourceOf(request: ImportRequest): ImportSource {
	if ('url' in request) {
		const { url, ref } = request;
		return ref === undefined ? { kind: 'git', url } : { kind: 'git', url, ref };
	}
	if ('files' in request) return { kind: 'files', name: 'files', files: request.files };
	return { kind: 'zip', name: 'archive.zip', data: request.zip };
}
