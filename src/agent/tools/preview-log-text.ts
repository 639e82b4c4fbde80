import type { PreviewLogEntry } from '#environment/preview.ts';

/** Resources that a page loads automatically: of interest only if they fail. */
const ASSET =
	/\.(?:[cm]?[jt]sx?|svelte|vue|astro|css|s[ac]ss|less|map|wasm|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf)$/i;
/** Modules that a development server generates or takes from packages. */
const SERVED_MODULE = /^\/(?:@|node_modules\/|_next\/static\/|_nuxt\/)/;
const GOOD_REQUEST = /^GET (\S+) → (?:2\d\d|304) /;
/** Minimum number of successive requests that share one line. */
const MANY = 4;

/** Formats output, errors and requests of a page for a model, one line each; loaded resources share a line. */
export function previewLogText(entries: readonly PreviewLogEntry[]): string {
	const lines: string[] = [];
	let arrived: PreviewLogEntry[] = [];
	const addArrived = (): void => {
		if (arrived.length < MANY) lines.push(...arrived.map(line));
		else {
			const [first, last] = [arrived.at(0), arrived.at(-1)].map((entry) => addressOf(entry));
			lines.push(`request: ${arrived.length} scripts, styles and other files arrived, from ${first} to ${last}`);
		}
		arrived = [];
	};
	for (const entry of entries) {
		if (isArrived(entry)) arrived.push(entry);
		else {
			addArrived();
			lines.push(line(entry));
		}
	}
	addArrived();
	return lines.join('\n');
}

/** Returns true for a request that got no answer, or an error. */
export const isFailedRequest = ({ kind, text }: PreviewLogEntry): boolean =>
	kind === 'request' && / → (?:[45]\d\d|no answer) /.test(text);

const addressOf = (entry: PreviewLogEntry | undefined): string => GOOD_REQUEST.exec(entry?.text ?? '')?.[1] ?? '';

function isArrived(entry: PreviewLogEntry): boolean {
	if (entry.kind !== 'request') return false;
	const path = addressOf(entry).replace(/\?.*$/, '');
	return ASSET.test(path) || SERVED_MODULE.test(path);
}

function line({ kind, text, place, count }: PreviewLogEntry): string {
	const parts = [`${kind}:`, text, place && `(${place})`, count > 1 ? `[${count} times]` : ''];
	return parts.filter(Boolean).join(' ');
}
