import type { Site } from './answer.ts';

/** One request of the displayed site. */
export interface RequestNote {
	method: string;
	target: string;
	/** `null`: nothing answered. */
	status: number | null;
	durationMs: number;
}

/** The same site, which notes each request with what came of it. */
export function withRequestLog(site: Site, note: (request: RequestNote) => void): Site {
	return {
		async answer(request) {
			const started = performance.now();
			const { method, target } = request;
			const end = (status: number | null): void =>
				note({ method, target, status, durationMs: performance.now() - started });
			try {
				const response = await site.answer(request);
				end(response.status);
				return response;
			} catch (error) {
				end(null);
				throw error;
			}
		},
		...(site.webSocket ? { webSocket: (request) => site.webSocket!(request) } : {})
	};
}
