import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { PreviewState, PreviewTarget } from '../../preview/preview-state.svelte.ts';
import type { Site } from '../../preview/served/answer.ts';
import { connectServed, type ServedFrame } from '../../preview/served/connect.ts';
import { FileSite } from '../../preview/served/file-site.ts';
import { labelOf, originsFor, takePlace, type Place } from '../../preview/served/place.ts';
import { withRequestLog } from '../../preview/served/request-log.ts';
import { PortSite } from '../../preview/served/port-site.ts';
import { folderOf } from '../../preview/site-files.ts';
import { t } from '../../strings/index.ts';

/** Our document that contains the site's own frame. */
const HOST_PATH = '/__sandglass__/host';

/** Origins that do not work in this browser; remembered until the page is closed. */
const refusedTemplates = new Set<string>();

interface ServeOptions {
	/** Origins of previews, `*` for a label of their own. */
	origins: readonly string[];
	target: Exclude<PreviewTarget, { kind: 'document' }>;
	session: string;
	environment: ExecutionEnvironment;
	preview: PreviewState;
	/** Called with the reason why nothing is shown; `detail` is the browser's own message. */
	onRefused: (message: string, detail?: string) => void;
}

/**
 * Loads one of the preview's origins into a frame and answers its requests from the sandbox. Returns a function that
 * stops it.
 */
export function serveFrame(frame: HTMLIFrameElement, options: ServeOptions): () => void {
	const site = siteOf(options);
	if (!site) {
		options.onRefused(t.preview.noLoopback);
		return () => {};
	}
	const serving = new Serving(frame, site, options);
	serving.start().catch((error: unknown) => options.onRefused(t.preview.originFailed, String(error)));
	return () => serving.end();
}

class Serving {
	#place: Place | null = null;
	#served: ServedFrame | null = null;
	#isOver = false;

	constructor(
		private readonly frame: HTMLIFrameElement,
		private readonly site: Site,
		private readonly options: ServeOptions
	) {}

	async start(): Promise<void> {
		const { target, session } = this.options;
		const kind = target.kind === 'port' ? `${target.context === undefined ? 'p' : 't'}${target.port}` : 'files';
		const label = await labelOf(kind, session);
		const templates = this.options.origins.filter((each) => !refusedTemplates.has(each));
		await this.#tryNext(templates.length > 0 ? templates : this.options.origins, label);
	}

	end(): void {
		this.#isOver = true;
		this.options.preview.onReload = this.options.preview.onGo = null;
		this.#leave();
	}

	/** Tries the origins until one of them works here. */
	async #tryNext(templates: readonly string[], label: string, tried: readonly string[] = []): Promise<void> {
		const { onRefused } = this.options;
		const left = originsFor(templates, label).filter((origin) => !tried.includes(origin));
		for (const origin of left) {
			const place = await takePlace(templates, origin, label);
			if (!place) continue;
			if (this.#isOver) return place.release();
			this.#place = place;
			return this.#show(origin, label, (reason) => {
				const template = templates.find((each) => each.replace('*', label) === origin);
				if (template !== undefined) refusedTemplates.add(template);
				this.#leave();
				if (left.at(-1) === origin) return onRefused(t.preview.originFailed, reason);
				this.#tryNext(templates, label, [...tried, origin]).catch((error: unknown) =>
					onRefused(t.preview.originFailed, String(error))
				);
			});
		}
		onRefused(t.preview.allTaken);
	}

	#show(origin: string, label: string, onFailure: (reason: string) => void): void {
		const { frame, site } = this;
		const { target, preview, onRefused } = this.options;
		const first =
			target.kind === 'files' ? `/${target.path.slice(target.path.lastIndexOf('/') + 1)}` : (target.url ?? '/');
		const served = connectServed(frame, {
			origin,
			// A different label than before, since the origin may contain data of an earlier test.
			label: target.kind === 'port' && target.context !== undefined ? `${label}-${target.context}` : label,
			address: target.kind === 'files' ? encodeURI(first) : first,
			title: frame.title,
			site: withRequestLog(preview.hot.watch(site), (line) => preview.noteRequest(line)),
			onReport: (report) => preview.take(report),
			onDriver: (key, port) => preview.drivers.offer(key, port),
			onFailure,
			onTaken: () => onRefused(t.preview.taken)
		});
		this.#served = served;
		preview.onReload = () => served.reload();
		preview.onGo = (address) => served.go(address);
		frame.src = origin + HOST_PATH;
	}

	#leave(): void {
		this.#served?.leave();
		this.#served = null;
		this.#place?.release();
		this.#place = null;
	}
}

function siteOf({ target, environment, preview }: ServeOptions): Site | null {
	if (target.kind === 'files')
		return new FileSite(environment, folderOf(target.path), (path) => preview.documentAt(path));
	return environment.loopback ? new PortSite(environment.loopback, target.port, () => preview.driverScript()) : null;
}
