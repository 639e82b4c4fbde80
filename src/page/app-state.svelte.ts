import type { PermissionMode } from '#agent/guards/permission-types.ts';
import type { SessionStore, SessionSummary, ShareBundle } from '#session/contract.ts';
import type { Checkpoint, FolderSize, ImportProgress, ImportSource } from '#workspace/contract.ts';
import { type Demo, DEMO_PROJECT, DEMO_TEMPLATE } from './demos.ts';
import { identify } from './errors.ts';
import type { FirstView } from './front/templates.ts';
import { recordImport, takeUnfinishedImport, forgetImport, type UnfinishedImport } from './front/unfinished-import.ts';
import { whenIdle } from './idle.ts';
import { announce } from './live.svelte.ts';
import type { ModelChoice, Parts } from './parts.ts';
import type { Opened, OpenOptions } from './project/open.ts';
import type { Project } from './project/project.svelte.ts';
import { parseRoute, sessionHash, type Route } from './routes.ts';
import { savesData } from './saves-data.ts';
import type { ShareAhead } from './share/ahead.ts';
import { t } from './strings/index.ts';
import { finder } from './timeline/finder.svelte.ts';

/** Screens of the page. */
export type Screen =
	| { kind: 'front' }
	| { kind: 'opening'; name: string; progress: ImportProgress | null; cancel: (() => void) | null }
	| { kind: 'project'; project: Project }
	| { kind: 'shared'; bundle: ShareBundle };

/** Import source that can be imported partially. */
type DividedSource = Extract<ImportSource, { kind: 'git' | 'zip' }>;

/** Selects the screen: follows the URL, opens and closes projects. */
export class AppState {
	screen: Screen = $state.raw({ kind: 'front' });
	/** Failure of the user's last action. */
	failure: unknown = $state.raw(null);
	recent: readonly SessionSummary[] | null = $state.raw(null);
	models: readonly ModelChoice[] = $state.raw([]);
	/** Source that was too large to import completely, and its folders to choose from. */
	tooLarge: { source: DividedSource; folders: readonly FolderSize[] } | null = $state.raw(null);
	/** Retries the failed action, if that makes sense. */
	retry: (() => void) | null = $state.raw(null);
	/** Content of *Git URL*: kept when an import fails, so that the user can correct it. */
	typedUrl = $state('');
	/** Task for the next project to open: kept when an import fails. */
	typedTask = $state('');
	/** Files for its first message; kept like the task. */
	givenFiles: readonly File[] = $state.raw([]);
	/** A session file that is waiting for its passphrase. */
	lockedFile: File | null = $state.raw(null);
	#store: Promise<SessionStore> | null = null;
	#models: Promise<ModelChoice[]> | null = null;
	/** Base of the displayed share, fetched in advance. */
	#ahead: Promise<ShareAhead | null> | null = null;

	constructor(readonly parts: Parts) {
		parts.onCrash?.((reason) => (this.failure = new Error(t.crashed(reason))));
	}

	/** Shows the screen for the URL, now and whenever it changes. */
	start(): void {
		addEventListener('hashchange', () => void this.follow(parseRoute(location.hash)));
		const route = parseRoute(location.hash);
		const cutOff = takeUnfinishedImport();
		void this.follow(route).then(() => {
			if (cutOff && route.kind === 'front') this.#tellCutOff(cutOff);
		});
		void this.#loadModels();
	}

	get project(): Project | null {
		return this.screen.kind === 'project' ? this.screen.project : null;
	}

	async follow(route: Route): Promise<void> {
		switch (route.kind) {
			case 'front':
				await this.leave();
				return this.#showFront();
			case 'session':
				if (this.project?.stored.summary.id !== route.id) {
					await this.leave();
					await this.#settle(this.#reopen(route.id));
				}
				if (this.project) finder.wanted = route.event ?? null;
				return;
			case 'import': {
				const { url, ref } = route;
				await this.leave();
				return this.#settle(this.import(ref === undefined ? { kind: 'git', url } : { kind: 'git', url, ref }));
			}
			case 'stored-share':
			case 'inline-share':
				await this.leave();
				return this.#settle(this.#openShare(route));
			case 'damaged-share':
				await this.leave();
				await this.#showFront();
				return this.#settle(this.#damagedShare());
		}
	}

	/** Starts loading everything that a project needs, in parallel: one is being opened or soon will be. */
	makeReady(project?: 'demo'): void {
		if (this.project || this.parts.missing() !== null) return;
		this.parts.prepareComputer?.();
		this.parts.prepare();
		if (project === 'demo') this.parts.prepareDemo?.();
	}

	/** Imports a project and shows it. Rejects with an error for {@link import('./errors.ts').explain}. */
	async import(source: ImportSource, start: { choice?: ModelChoice; mode?: PermissionMode } = {}): Promise<Project> {
		this.makeReady();
		const { openImport } = await import('./project/open.ts');
		const choice = start.choice ?? (await this.#defaultModel());
		const name = source.kind === 'git' ? source.url.replace(/^https?:\/\/(?:[^/]*\/)?/, '') : source.name;
		this.tooLarge = null;
		recordImport(source);
		const opening = this.#opening(name, (options) => openImport(source, choice, options), choice, start.mode);
		return opening.finally(forgetImport).catch((error: unknown) => {
			const folders = foldersOf(error);
			if (folders && (source.kind === 'git' || source.kind === 'zip')) this.tooLarge = { source, folders };
			throw error;
		});
	}

	/** Adds files for the first message. Rejects with a sentence if one is too large or there are too many. */
	async give(files: readonly File[]): Promise<void> {
		const { withFiles } = await import('./front/given-files.ts');
		this.givenFiles = withFiles(this.givenFiles, files);
	}

	/** Imports a project for a button: a failure is shown as an alert. */
	begin(source: ImportSource, { view = null }: { view?: FirstView | null } = {}): void {
		const open = async (): Promise<void> => {
			const task = this.typedTask.trim();
			const project = await this.import(source);
			const files = this.givenFiles;
			[this.typedTask, this.givenFiles] = ['', []];
			project.firstView = view;
			project.demo = view?.demo ?? null;
			if (task !== '' || files.length > 0) project.firstDraft = { text: task, files, isSent: task !== '' };
		};
		void this.#settle(open(), () => this.begin(source, { view }));
	}

	/** Reports an import that a reload interrupted. If it came from a URL, it can be retried at once. */
	#tellCutOff({ name, url }: UnfinishedImport): void {
		if (this.screen.kind !== 'front' || this.failure) return;
		this.failure = { code: 'import_cut_off', message: name, detail: name };
		if (url === undefined) return;
		this.typedUrl = url;
		this.retry = () => this.begin({ kind: 'git', url });
	}

	/** Opens a demo, in which the scripted model uses the real tools: the sample project, or a page from a template. */
	watchDemo(demo: Demo = 'sample'): void {
		const play = async (): Promise<void> => {
			await this.leave();
			this.makeReady(demo === 'sample' ? 'demo' : undefined);
			const choice = this.parts.demoModel();
			const { source, view } = await startOf(demo);
			const project = await this.import(source, { choice, mode: 'full' });
			project.firstView = view;
			project.demo = demo;
			project.send(await this.parts.demoTask(demo));
		};
		void this.#settle(play(), () => this.watchDemo(demo));
	}

	async fork(project: Project, checkpoint: Checkpoint): Promise<void> {
		const [{ forkFrom }, { relate }] = await Promise.all([
			import('./project/open.ts'),
			import('./outcomes/relatives.ts')
		]);
		const { choice, mode, stored } = project;
		// Data that cannot be stored would be lost with the current session.
		await stored.flush();
		const title = t.checkpoints.forkFrom(project.title);
		const open = (options: OpenOptions): Promise<Opened> =>
			forkFrom(project, checkpoint, title, options, (fork) => relate(stored, fork, checkpoint));
		try {
			await this.#opening(title, open, choice, mode);
		} catch (error) {
			// The fork took over its computer; everything is stored.
			if (this.project !== project) await this.#reopen(stored.summary.id);
			throw error;
		}
	}

	/**
	 * Opens the visitor's own session from a share.
	 *
	 * @param start entry to continue from and message to send; default: the end of the share, without a message
	 */
	async continueShare(
		bundle: ShareBundle,
		start: { from: string | null; message: string } | null = null
	): Promise<void> {
		const ahead = this.#ahead;
		this.#ahead = null;
		const [{ continueShare }, choice] = await Promise.all([import('./share/ahead.ts'), this.#defaultModel()]);
		const from = start?.from ?? null;
		const open = async (options: OpenOptions): Promise<Opened> =>
			continueShare(bundle, choice, { ...options, from }, await ahead);
		const project = await this.#opening(bundle.title, open, choice);
		if (start) project.firstDraft = { text: start.message, files: [], isSent: true };
	}

	/** Shows the same session in another environment that has been opened; the previous one has been retired. */
	async continueIn(project: Project, opened: Opened): Promise<void> {
		const { Project } = await import('./project/project.svelte.ts');
		const next = await Project.open(this.parts, opened, { choice: project.choice });
		if (this.project === project) this.screen = { kind: 'project', project: next };
		else await next.close();
	}

	/**
	 * Shows the contents of a session file without running anything in it. Asks for the passphrase of an encrypted file
	 * first.
	 *
	 * @param passphrase rejects if it is wrong; default: the user is asked if the file is encrypted
	 */
	async openSessionFile(file: File, passphrase?: string): Promise<void> {
		this.dismiss();
		if (!this.parts.share) throw new Error(t.share.unavailable);
		try {
			const bundle = await this.parts.share.openFile(file, passphrase ?? null);
			this.lockedFile = null;
			this.#showShare(bundle);
		} catch (error) {
			const isLocked = identify(error).code === 'passphrase';
			if (!isLocked || passphrase !== undefined) throw error;
			this.lockedFile = file;
		}
	}

	/** Ends the passphrase dialog of a session file with a failure; `null`: the user cancelled. */
	refuseSessionFile(failure: unknown): void {
		this.lockedFile = null;
		if (failure !== null) this.failure = failure;
	}

	async rename(id: string, title: string): Promise<void> {
		const store = await this.store();
		await store.rename(id, title);
		this.recent = await store.list();
	}

	/** Takes the write lock from the other tab and reopens the session as that tab left it. */
	async takeOver(project: Project): Promise<void> {
		this.screen = { kind: 'opening', name: t.importing.reopening, progress: null, cancel: null };
		await project.takeOver();
		await this.#reopen(project.stored.summary.id);
	}

	async remove(id: string): Promise<void> {
		const store = await this.store();
		await store.delete(id);
		const { forgetFolder } = await import('./local-folder/stored-folders.ts');
		await forgetFolder(id);
		this.recent = await store.list();
	}

	/** Runs an action of a button and shows its failure. */
	attempt(work: Promise<unknown>): void {
		void this.#settle(work);
	}

	dismiss(): void {
		this.failure = null;
		this.retry = null;
	}

	store(): Promise<SessionStore> {
		this.#store ??= this.parts.openStore().then((store) => {
			store.onChange(() => void this.#listRecent());
			return store;
		});
		return this.#store;
	}

	async leave(): Promise<void> {
		this.#leaveAhead();
		const project = this.project;
		if (!project) return;
		this.screen = { kind: 'front' };
		await project.close();
	}

	async #showFront(): Promise<void> {
		this.screen = { kind: 'front' };
		whenIdle(() => this.screen.kind === 'front' && this.parts.prepareAll?.());
		await this.#listRecent();
	}

	async #listRecent(): Promise<void> {
		try {
			this.recent = await (await this.store()).list();
		} catch (error) {
			this.recent = [];
			this.failure = error;
		}
	}

	async #reopen(id: string): Promise<void> {
		this.makeReady();
		const { reopen } = await import('./project/open.ts');
		const models = await this.#loadModels();
		await this.#opening(
			t.importing.reopening,
			(options) => reopen(id, options),
			(opened) => chosen(opened, models, this.parts)
		);
	}

	async #openShare(route: Extract<Route, { kind: 'stored-share' | 'inline-share' }>): Promise<void> {
		// The key must not remain visible to bystanders, in the history or in screenshots.
		history.replaceState(null, '', location.pathname + location.search);
		this.screen = { kind: 'opening', name: t.shared.opening, progress: null, cancel: null };
		if (!this.parts.share) throw new Error(t.share.unavailable);
		this.#showShare(await this.parts.share.open(route));
	}

	#showShare(bundle: ShareBundle): void {
		this.#leaveAhead();
		this.screen = { kind: 'shared', bundle };
		if (bundle.viewOnly || this.parts.missing() !== null || savesData()) return;
		this.parts.prepare();
		if (bundle.base) this.#ahead = this.#lookAhead(bundle, bundle.base);
	}

	/** Never rejects: callers that continue without it get the error. */
	async #lookAhead(bundle: ShareBundle, base: NonNullable<ShareBundle['base']>): Promise<ShareAhead | null> {
		try {
			const { ShareAhead } = await import('./share/ahead.ts');
			return new ShareAhead(bundle, base, this.parts, { store: this.store(), choice: this.#defaultModel() });
		} catch (error) {
			console.warn(error);
			return null;
		}
	}

	#leaveAhead(): void {
		void this.#ahead?.then((ahead) => ahead?.leave());
		this.#ahead = null;
	}

	async #damagedShare(): Promise<never> {
		const { ShareError } = await import('#session/share/errors.ts');
		throw new ShareError('damaged', 'the address');
	}

	async #opening(
		name: string,
		open: (options: OpenOptions) => Promise<Opened>,
		choice: ModelChoice | ((opened: Opened) => ModelChoice),
		mode?: PermissionMode
	): Promise<Project> {
		this.dismiss();
		const missing = this.parts.missing();
		if (missing) throw new Error(missing);
		const abort = new AbortController();
		const cancel = (): void => abort.abort(new DOMException('Cancelled', 'AbortError'));
		this.screen = { kind: 'opening', name, progress: null, cancel };
		const onProgress = (progress: ImportProgress): void => {
			if (this.screen.kind === 'opening') this.screen = { ...this.screen, progress };
		};
		this.parts.prepare();
		const [store, { Project }] = await Promise.all([this.store(), import('./project/project.svelte.ts')]);
		const opened = await open({ parts: this.parts, store, signal: abort.signal, onProgress });
		const model = typeof choice === 'function' ? choice(opened) : choice;
		const project = await Project.open(this.parts, opened, { choice: model, mode });
		this.typedUrl = '';
		this.screen = { kind: 'project', project };
		if (opened.lostMachine) this.failure = opened.lostMachine;
		const address = (): void => history.replaceState(null, '', sessionHash(opened.stored.summary.id));
		if (!opened.listed) address();
		// A reload before that returns to the previous state.
		else this.attempt(opened.listed.then(() => this.project === project && address()));
		return project;
	}

	async #settle(work: Promise<unknown>, retry: (() => void) | null = null): Promise<void> {
		try {
			await work;
		} catch (error) {
			if (this.screen.kind === 'opening') {
				history.replaceState(null, '', location.pathname + location.search);
				await this.#showFront();
			}
			this.failure = error;
			this.retry = retry;
		}
	}

	/** Called after the user changed a key: the available models may be different. */
	async reloadModels(): Promise<void> {
		this.#models = null;
		await this.#loadModels();
	}

	/** Deletes everything this site stores in the browser: sessions, keys, settings, packages. */
	async eraseEverything(): Promise<void> {
		await this.leave();
		const store = await this.store();
		await store.eraseEverything();
		const { forgetFolders } = await import('./local-folder/stored-folders.ts');
		await forgetFolders();
		const { offline } = await import('./offline/offline.svelte.ts');
		await offline.forget();
		sessionStorage.clear();
		localStorage.clear();
		for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name);
		history.replaceState(null, '', location.pathname + location.search);
		await this.reloadModels();
		await this.#showFront();
		announce(t.settings.erased);
	}

	async #loadModels(): Promise<ModelChoice[]> {
		this.#models ??= this.parts.models();
		const models = await this.#models;
		this.models = models;
		return models;
	}

	async #defaultModel(): Promise<ModelChoice> {
		const [first] = await this.#loadModels();
		return first ?? this.parts.demoModel();
	}
}

/** Folders found by an import that was too large, if there are any to choose from. */
function foldersOf(error: unknown): readonly FolderSize[] | null {
	if (!(error instanceof Error) || !('folders' in error) || !Array.isArray(error.folders)) return null;
	const folders: readonly FolderSize[] = error.folders;
	return folders.length > 0 ? folders : null;
}

/** Model that a stored session last used, if it is still available. */
function chosen(opened: Opened, models: readonly ModelChoice[], parts: Parts): ModelChoice {
	const { model, provider } = opened.stored.summary;
	const demo = parts.demoModel();
	if (demo.provider === provider) return demo;
	return models.find((choice) => choice.model === model && choice.provider === provider) ?? models[0] ?? demo;
}

/** Project of a demo, and its initial view. */
async function startOf(demo: Demo): Promise<{ source: ImportSource; view: FirstView | null }> {
	if (demo === 'sample') return { source: { kind: 'sample', name: DEMO_PROJECT }, view: null };
	const { templateNamed } = await import('./front/templates.ts');
	return templateNamed(DEMO_TEMPLATE);
}
