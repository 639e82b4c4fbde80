import * as z from 'zod/mini';
import { readStored, writeStored } from '../../settings/stored.ts';

const SECRET = 'sandglass:preview-secret';
const PLACES = 'sandglass:preview-places';
const Places = z.record(z.string(), z.string());

/** An origin reserved for one preview until it is released. */
export interface Place {
	origin: string;
	release(): void;
}

/**
 * Label of one preview in this browser. It is stable, so that the site finds its storage again, and cannot be guessed
 * by users who know the session, since it includes a secret of this browser.
 * @param kind what is displayed, e.g. `files` or `p3000`
 */
export async function labelOf(kind: string, session: string): Promise<string> {
	const text = new TextEncoder().encode(JSON.stringify([secret(), kind, session]));
	const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
	return `p${hex(digest.subarray(0, 16))}`;
}

/** Lasts as long as the page if storage is blocked. */
let ownSecret: string | null = null;

function secret(): string {
	ownSecret =
		readStored(localStorage, SECRET, z.string()) ?? ownSecret ?? hex(crypto.getRandomValues(new Uint8Array(32)));
	writeStored(localStorage, SECRET, ownSecret);
	return ownSecret;
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Origins for a preview, best first: its own if a template has a placeholder for a label, then origins that previews
 * share in turn. Among these, its previous one comes first, so that it finds its storage, then unused ones.
 */
export function originsFor(templates: readonly string[], label: string): string[] {
	const own = templates.filter((each) => each.includes('*')).map((each) => each.replace('*', label));
	const places = readStored(localStorage, PLACES, Places) ?? {};
	const rank = (origin: string): number => (places[origin] === label ? 0 : places[origin] === undefined ? 1 : 2);
	const shared = templates.filter((each) => !each.includes('*')).sort((a, b) => rank(a) - rank(b));
	return [...own, ...shared].map((each) => new URL(each).origin);
}

/** Reserves an origin for a preview; `null` while another tab displays a preview there. */
export async function takePlace(templates: readonly string[], origin: string, label: string): Promise<Place | null> {
	const isShared = templates.some((each) => !each.includes('*') && new URL(each).origin === origin);
	if (!isShared) return { origin, release: () => undefined };
	const release = await lease(`sandglass:preview ${origin}`);
	if (!release) return null;
	writeStored(localStorage, PLACES, { ...readStored(localStorage, PLACES, Places), [origin]: label });
	return { origin, release };
}

function lease(name: string): Promise<(() => void) | null> {
	return new Promise((resolve, reject) => {
		navigator.locks
			.request(name, { ifAvailable: true }, (lock) => {
				if (!lock) return resolve(null);
				return new Promise<void>((release) => resolve(release));
			})
			.catch(reject);
	});
}
