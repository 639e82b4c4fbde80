import { apiCall } from './api-call.ts';
import type { UseOptions } from './session.ts';

interface RequestOptions {
	data?: unknown;
	form?: Record<string, string>;
	headers?: Record<string, string>;
	params?: Record<string, string | number | boolean>;
	method?: string;
	failOnStatusCode?: boolean;
}

/** Playwright's `APIResponse`. */
export class APIResponse {
	constructor(
		private readonly response: Response,
		private readonly bytes: Uint8Array<ArrayBuffer>
	) {}

	ok(): boolean {
		return this.response.ok;
	}
	status(): number {
		return this.response.status;
	}
	statusText(): string {
		return this.response.statusText;
	}
	url(): string {
		return this.response.url;
	}
	headers(): Record<string, string> {
		return Object.fromEntries(this.response.headers);
	}
	body(): Promise<Uint8Array<ArrayBuffer>> {
		return Promise.resolve(this.bytes);
	}
	text(): Promise<string> {
		return Promise.resolve(new TextDecoder().decode(this.bytes));
	}
	async json(): Promise<unknown> {
		return JSON.parse(await this.text());
	}
	dispose(): Promise<void> {
		return Promise.resolve();
	}
}

/** Playwright's `APIRequestContext`: requests of the test itself, which share no cookies with the page. */
export class RequestContext {
	constructor(private readonly use: UseOptions) {}

	get = (url: string, options?: RequestOptions): Promise<APIResponse> => this.#send('get', url, options);
	post = (url: string, options?: RequestOptions): Promise<APIResponse> => this.#send('post', url, options);
	put = (url: string, options?: RequestOptions): Promise<APIResponse> => this.#send('put', url, options);
	patch = (url: string, options?: RequestOptions): Promise<APIResponse> => this.#send('patch', url, options);
	delete = (url: string, options?: RequestOptions): Promise<APIResponse> => this.#send('delete', url, options);
	head = (url: string, options?: RequestOptions): Promise<APIResponse> => this.#send('head', url, options);
	fetch = (url: string, options: RequestOptions = {}): Promise<APIResponse> =>
		this.#send(options.method ?? 'get', url, options);

	dispose(): Promise<void> {
		return Promise.resolve();
	}

	#send(method: string, url: string, options: RequestOptions = {}): Promise<APIResponse> {
		return apiCall(async () => {
			const { data, form, headers = {}, params = {}, failOnStatusCode = false } = options;
			const address = new URL(url, this.use.baseURL);
			for (const [key, value] of Object.entries(params)) address.searchParams.set(key, String(value));
			const isJson = data !== undefined && typeof data !== 'string' && !(data instanceof Uint8Array);
			const body = form ? new URLSearchParams(form) : isJson ? JSON.stringify(data) : (data as BodyInit | undefined);
			const sent = {
				...(isJson ? { 'content-type': 'application/json' } : {}),
				...this.use.extraHTTPHeaders,
				...headers
			};
			const response = await fetch(address, { method: method.toUpperCase(), headers: sent, body: body ?? null });
			if (failOnStatusCode && !response.ok)
				throw new Error(`apiRequestContext.${method}: ${response.status} ${response.statusText}`);
			return new APIResponse(response, new Uint8Array(await response.arrayBuffer()));
		});
	}
}
