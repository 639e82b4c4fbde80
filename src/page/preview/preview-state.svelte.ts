import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import type { PreviewMedia, PreviewSize } from '#environment/preview.ts';
import { t } from '../strings/index.ts';
import { BundleFailed } from './bundle.ts';
import { addLine, placeText, type ConsoleLine } from './console-log.ts';
import { Drivers } from './driver/drivers.ts';
import { mediaScript } from './driver/emulated-media.ts';
import { buildDocument, type BuiltDocument } from './document.ts';
import type { ScrollState } from './observe.ts';
import { HotUpdates } from './served/hot-updates.ts';
import type { RequestNote } from './served/request-log.ts';
import type { Report } from './reports.ts';
import { isElsewhere, SiteFiles } from './site-files.ts';
import type { Place } from './source-map.ts';
import { placeOf, type FindPlace } from './stack.ts';
import { PreviewLog } from './preview-log.ts';

/** Target of the preview: a self-contained document, a document served with the project's files, or a server. */
export type PreviewTarget =
	| { kind: 'document'; path: string }
	| { kind: 'files'; path: string }
	/**
	 * `url`: path and query of the first page, default `/`. `context`: name of a test's browser context, which has its
	 * own storage and cookies.
	 */
	| { kind: 'port'; port: number; url?: string; context?: string };

/** Delay after a change: editors and builds write several files at once. */
const REST_MS = 250;
/** Milliseconds for a development server to notify its page about a change. */
const HOT_UPDATE_MS = 1_500;
const LEFT_ALONE = /^(node_modules|\.git|coverage)\//;
const OF_A_SITE = /\.(html?|css|[cm]?[jt]sx?|svelte|vue|svg|png|jpe?g|gif|webp|avif|ico|woff2?)$/i;

/** State of the preview and its target. Created for each project. */
export class PreviewState {
	target: PreviewTarget | null = $state.raw(null);
	/** Displayed document; `null` until the first one is built, and for served targets. */
	built: BuiltDocument | null = $state.raw(null);
	/** Incremented to recreate the frame. */
	version = $state(0);
	building = $state(false);
	/** Reason why nothing, or only an earlier document, is displayed. */
	failure: unknown = $state.raw(null);
	/** Reason why the displayed document is invisible. */
	hint: 'blank' | 'left' | null = $state(null);
	lines: readonly ConsoleLine[] = $state.raw([]);
	/** Current location in the site, if known. */
	address = $state('');
	/** True if the agent opened it: dialogs of the page are suppressed, since there may be no user to close them. */
	isDriven = $state(false);
	/** Drivers through which the agent uses the displayed document. */
	readonly drivers = new Drivers();
	/** Size that the agent set for the displayed page, in CSS pixels; `null`: as large as the tab. */
	size: PreviewSize | null = $state.raw(null);
	/** Preferences that the agent set for displayed pages; `null`: the browser's own. */
	media: PreviewMedia | null = null;
	/** All output and requests, for the agent; the newest are kept. */
	readonly log = new PreviewLog();
	/** Reloads the served document; set by the owner of its frame. */
	onReload: (() => void) | null = null;
	/** Navigates the served site to a URL; set by the owner of its frame. */
	onGo: ((address: string) => void) | null = null;
	/** Development servers that update their page themselves. */
	readonly hot = new HotUpdates();
	/** Settles when the server has notified its page about the last change. */
	#hotUpdate: Promise<unknown> = Promise.resolve();
	#scroll: ScrollState = { x: 0, y: 0 };
	#timer: ReturnType<typeof setTimeout> | undefined;
	#run = 0;
	/** Settles when the current build ends. */
	#lastBuild: Promise<unknown> = Promise.resolve();
	/** Settles when the last followed link is displayed. */
	moved: Promise<unknown> = Promise.resolve();
	readonly #leave: () => void;

	constructor(private readonly environment: ExecutionEnvironment) {
		this.#leave = environment.onChange((change) => this.#changed(change));
	}

	/** Displays another target, scrolled to the top. */
	async show(target: PreviewTarget | null, by: 'user' | 'agent' = 'user'): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		// A size that the user chose stays; one that the agent set is reset.
		if (by === 'user' && this.isDriven) {
			this.size = null;
			this.media = null;
		}
		this.isDriven = by === 'agent';
		this.drivers.leave();
		this.target = target;
		this.built = null;
		this.failure = this.hint = null;
		this.lines = [];
		this.#scroll = { x: 0, y: 0 };
		this.address = target && target.kind !== 'port' ? target.path : '/';
		if (target) await this.#make();
	}

	/** Displays pending file changes immediately. */
	async takeChanges(): Promise<void> {
		await this.#hotUpdate;
		if (this.#timer === undefined) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		await this.reload();
	}

	/** Displays the target again with the current files. */
	async reload(): Promise<void> {
		this.lines = [];
		this.drivers.leave();
		if (this.onReload && this.failure === null) this.onReload();
		else await this.#make();
	}

	/** HTML of a document that is served with the project's files. */
	async documentAt(path: string): Promise<string> {
		try {
			const built = await this.#inTurn(() =>
				buildDocument(this.environment, path, { x: 0, y: 0 }, this.driverScript())
			);
			this.built = built;
			this.failure = null;
			for (const warning of built.warnings) this.#add('warn', warning);
			return built.html;
		} catch (error) {
			this.failure = error;
			throw error;
		}
	}

	/** First script of a document that is about to be displayed. */
	driverScript(): string {
		return `${this.drivers.script(this.isDriven)}${mediaScript(this.media)}`;
	}

	noteRequest(request: RequestNote): void {
		this.log.addRequest(request);
	}

	take(report: Report): void {
		switch (report.type) {
			case 'console':
				return this.#add(report.level, report.text, report.stack);
			case 'error':
				return this.#add('error', report.text, report.stack);
			case 'blocked':
				return this.#add('error', t.preview.blocked(report.address));
			case 'form':
				return this.#add('warn', t.preview.form(report.action));
			case 'link':
				this.moved = this.#follow(report.href);
				return;
			case 'scroll':
				this.#scroll = { x: report.x, y: report.y };
				return;
			case 'loaded':
				this.hint = report.isBlank ? 'blank' : null;
				if (report.address !== '') this.address = report.address;
				return;
			case 'here':
				if (this.hint === 'left') this.hint = null;
				return;
			case 'left':
				this.hint = 'left';
		}
	}

	clear(): void {
		this.lines = [];
	}

	leave(): void {
		this.drivers.leave();
		clearTimeout(this.#timer);
		this.#leave();
	}

	async #make(): Promise<void> {
		const { target } = this;
		if (target?.kind !== 'document') {
			this.failure = this.hint = null;
			this.version++;
			return;
		}
		const run = ++this.#run;
		this.building = true;
		await this.#inTurn(() => this.#build(target.path, run));
	}

	/** Serializes builds, since they write the same files. Settles as the build does. */
	#inTurn<Result>(build: () => Promise<Result>): Promise<Result> {
		const result = this.#lastBuild.then(build);
		this.#lastBuild = result.catch(() => {
			// The failure is reported to that build's caller; the next one does not depend on it.
		});
		return result;
	}

	/** Never rejects. Does nothing if a later build was requested meanwhile. */
	async #build(path: string, run: number): Promise<void> {
		if (run !== this.#run) return;
		try {
			const built = await buildDocument(this.environment, path, this.#scroll, this.driverScript());
			if (run !== this.#run) return;
			this.failure = this.hint = null;
			this.lines = [];
			this.built = built;
			this.version++;
			for (const warning of built.warnings) this.#add('warn', warning);
		} catch (error) {
			if (run === this.#run) this.failure = error;
		} finally {
			if (run === this.#run) this.building = false;
		}
	}

	#changed({ path, to }: FileChange): void {
		const { target } = this;
		// A test decides itself when its page is reloaded.
		if (!target || (target.kind === 'port' && target.context !== undefined)) return;
		const root = `${this.environment.workingDirectory()}/`;
		const matters = [path, to].some((each) => {
			if (!each?.startsWith(root)) return false;
			const below = each.slice(root.length);
			// A server may write other files to the project; only files that look like part of a site count then.
			return !LEFT_ALONE.test(below) && (target.kind === 'document' || OF_A_SITE.test(below));
		});
		// A failed bundle may be waiting for packages, but rebuilding for each installed file would be too often.
		if (!matters) return;
		// A reload would lose the state that the server's own update preserves.
		if (target.kind === 'port' && this.hot.isConnected) {
			this.#hotUpdate = this.hot.next(HOT_UPDATE_MS);
			return;
		}
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			void this.reload();
		}, REST_MS);
	}

	/** Follows a link to another document of the site; reports any other link in the console. */
	async #follow(href: string): Promise<void> {
		const { target } = this;
		if (target?.kind === 'document' && !isElsewhere(href)) {
			const files = new SiteFiles(this.environment, target.path);
			const path =
				(await files.find(href, target.path)) ??
				(await files.find(`${href.replace(/[?#].*$/, '').replace(/\/$/, '')}/index.html`, target.path));
			if (path !== null && /\.html?$/i.test(path))
				return this.show({ kind: 'document', path }, this.isDriven ? 'agent' : 'user');
			return this.#add('warn', t.preview.noPage(href));
		}
		this.#add('warn', t.preview.outside(href));
	}

	#add(level: ConsoleLine['level'], text: string, stack = ''): void {
		const find: FindPlace = (script, line, column) =>
			this.built?.findPlace(script, line, column) ??
			(this.target?.kind === 'document' ? null : servedPlace(script, line, column));
		const place = placeOf(stack, find);
		this.lines = addLine(this.lines, { level, text, place });
		this.log.addLine(level, text, placeText(place));
	}
}

/** Names a served script by its path. */
function servedPlace(script: string, line: number, column: number): Place | null {
	if (!URL.canParse(script) || !/^https?:$/.test(new URL(script).protocol)) return null;
	const file = decodeURI(new URL(script).pathname.slice(1));
	return file === '' ? null : { file, line, column };
}

/** Packages that a failed bundle needs; empty if something else is wrong. */
export function missingPackages(failure: unknown): readonly string[] {
	return failure instanceof BundleFailed ? failure.missing : [];
}

/** Formats the bundler's messages for users. */
export function bundlerOutput(failure: unknown): string {
	return failure instanceof BundleFailed ? failure.output : '';
}
