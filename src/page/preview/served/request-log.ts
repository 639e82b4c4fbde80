import type { Site } from './answer.ts';

/** A request of the displayed site. */
export interface RequestNote {
	method: string;
	target: string;
	/** `null`: no response. */
	status: number | null;
	durationMs: number;
}

/** Wraps a site to record each request and its result. */
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
