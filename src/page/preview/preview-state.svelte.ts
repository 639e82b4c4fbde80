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

/** Target of the preview: a closed document, a document with the project's files around it, or a server. */
export type PreviewTarget =
	| { kind: 'document'; path: string }
	| { kind: 'files'; path: string }
	/**
	 * `url`: path and query of the first page, `/` when absent. `context`: name of a test's browser context, which has
	 * storage and cookies of its own.
	 */
	| { kind: 'port'; port: number; url?: string; context?: string };

/** A moment's rest after a change: editors and builds write several files at once. */
const REST_MS = 250;
/** Time for a development server to tell its page what a change means. Milliseconds. */
const HOT_UPDATE_MS = 1_500;
const LEFT_ALONE = /^(node_modules|\.git|coverage)\//;
const OF_A_SITE = /\.(html?|css|[cm]?[jt]sx?|svelte|vue|svg|png|jpe?g|gif|webp|avif|ico|woff2?)$/i;

/** State of the preview and its target. Created for each project. */
export class PreviewState {
	target: PreviewTarget | null = $state.raw(null);
	/** The document as it is shown now; `null` while the first one is made, and for what is served. */
	built: BuiltDocument | null = $state.raw(null);
	/** Incremented to recreate the frame. */
	version = $state(0);
	building = $state(false);
	/** Reason why nothing, or only the earlier document, is displayed. */
	failure: unknown = $state.raw(null);
	/** Reason why the displayed document is invisible. */
	hint: 'blank' | 'left' | null = $state(null);
	lines: readonly ConsoleLine[] = $state.raw([]);
	/** Current location in the site, as far as it is known. */
	address = $state('');
	/** Opened by the agent: dialogs of the page are suppressed, since no user may be there to close them. */
	isDriven = $state(false);
	/** Drivers through which the agent uses the displayed document. */
	readonly drivers = new Drivers();
	/** The size the agent gave the displayed page, in CSS pixels; `null`: as large as the tab. */
	size: PreviewSize | null = $state.raw(null);
	/** Preferences that the agent gave to the displayed pages; `null`: the browser's own. */
	media: PreviewMedia | null = null;
	/** All output and requests for the agent; the newest are retained. */
	readonly log = new PreviewLog();
	/** Asks the served document to reload; set by the owner of its frame. */
	onReload: (() => void) | null = null;
	/** Leads the served site to an address; set by the owner of its frame. */
	onGo: ((address: string) => void) | null = null;
	/** Development servers that update their page themselves. */
	readonly hot = new HotUpdates();
	/** Settles when the server has told its page of the last change. */
	#hotUpdate: Promise<unknown> = Promise.resolve();
	#scroll: ScrollState = { x: 0, y: 0 };
	#timer: ReturnType<typeof setTimeout> | undefined;
	#run = 0;
	/** Settles when the build under way ends. */
	#lastBuild: Promise<unknown> = Promise.resolve();
	/** Settles when the link that was followed last is displayed. */
	moved: Promise<unknown> = Promise.resolve();
	readonly #leave: () => void;

	constructor(private readonly environment: ExecutionEnvironment) {
		this.#leave = environment.onChange((change) => this.#changed(change));
	}

	/** Shows something else, from the top. */
	async show(target: PreviewTarget | null, by: 'user' | 'agent' = 'user'): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		// A size that the user chose stays; the agent's does not outlast its use.
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

	/** Displays changes of files at once that would be displayed after a moment's rest. */
	async takeChanges(): Promise<void> {
		await this.#hotUpdate;
		if (this.#timer === undefined) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		await this.reload();
	}

	/** The same once more, as the files are now. */
	async reload(): Promise<void> {
		this.lines = [];
		this.drivers.leave();
		if (this.onReload && this.failure === null) this.onReload();
		else await this.#make();
	}

	/** The HTML of a document that is served with the files around it. */
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

	/** Lets builds follow each other, since they write the same files. Settles as the build does. */
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
		// A test says itself when its page is loaded again.
		if (!target || (target.kind === 'port' && target.context !== undefined)) return;
		const root = `${this.environment.workingDirectory()}/`;
		const matters = [path, to].some((each) => {
			if (!each?.startsWith(root)) return false;
			const below = each.slice(root.length);
			// A server may write what it likes into the project; only what looks like its site counts there.
			return !LEFT_ALONE.test(below) && (target.kind === 'document' || OF_A_SITE.test(below));
		});
		// Packages that arrive are what a failed bundle waits for, but one at a time is too often.
		if (!matters) return;
		// A reload would take away the state that the server's own update keeps.
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

	/** A link to another document of the site is followed; any other is refused with words. */
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

/** A script that came by an address is called by its path. */
function servedPlace(script: string, line: number, column: number): Place | null {
	if (!URL.canParse(script) || !/^https?:$/.test(new URL(script).protocol)) return null;
	const file = decodeURI(new URL(script).pathname.slice(1));
	return file === '' ? null : { file, line, column };
}

/** The packages a bundle waits for; empty when something else is wrong. */
export function missingPackages(failure: unknown): readonly string[] {
	return failure instanceof BundleFailed ? failure.missing : [];
}

/** Formats the bundler's messages for users. */
export function bundlerOutput(failure: unknown): string {
	return failure instanceof BundleFailed ? failure.output : '';
}
