import type { ExecutionEnvironment } from '../../../environment/contract.ts';
import type { PreviewState, PreviewTarget } from '../../preview/preview-state.svelte.ts';
import type { Site } from '../../preview/served/answer.ts';
import { connectServed, originFor } from '../../preview/served/connect.ts';
import { FileSite } from '../../preview/served/file-site.ts';
import { PortSite } from '../../preview/served/port-site.ts';
import { folderOf } from '../../preview/site-files.ts';

/** The document of ours that holds the site's own frame. */
const HOST_PATH = '/__sandglass__/host';

interface ServeOptions {
	/** The preview's origin, `*` for a name of its own. */
	origin: string;
	target: Exclude<PreviewTarget, { kind: 'document' }>;
	session: string;
	environment: ExecutionEnvironment;
	preview: PreviewState;
	onRefused: (reason: string) => void;
}

/** Loads the preview's origin into a frame and answers it from the sandbox. Returns what ends it. */
export function serveFrame(frame: HTMLIFrameElement, options: ServeOptions): () => void {
	const { target, session, preview, onRefused } = options;
	const kind = target.kind === 'port' ? `p${target.port}` : 'files';
	const origin = originFor(options.origin, kind, session);
	const first = target.kind === 'files' ? `/${target.path.slice(target.path.lastIndexOf('/') + 1)}` : '/';
	const site = siteOf(options);
	if (!site) {
		onRefused('This computer has no servers of its own.');
		return () => {};
	}
	const served = connectServed(frame, {
		origin,
		session: `${session} ${kind}`,
		address: encodeURI(first),
		title: frame.title,
		site,
		onReport: (report) => preview.take(report),
		onFailure: onRefused
	});
	preview.onReload = () => served.reload();
	frame.src = origin + HOST_PATH;
	return () => {
		preview.onReload = null;
		served.leave();
	};
}

function siteOf({ target, environment, preview }: ServeOptions): Site | null {
	if (target.kind === 'files')
		return new FileSite(environment, folderOf(target.path), (path) => preview.documentAt(path));
	return environment.loopback ? new PortSite(environment.loopback, target.port) : null;
}
