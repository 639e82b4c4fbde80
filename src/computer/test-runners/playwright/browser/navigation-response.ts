import { naming } from './not-there.ts';

/** Response of a server to a request of the page, as far as the preview knows it. */
export class NavigationResponse {
	constructor(
		private readonly address: string,
		private readonly code: number,
		private readonly verb = 'GET'
	) {}

	url(): string {
		return this.address;
	}
	status(): number {
		return this.code;
	}
	ok(): boolean {
		return this.code >= 200 && this.code <= 299;
	}
	method(): string {
		return this.verb;
	}
	request(): { url(): string; method(): string } {
		return { url: () => this.address, method: () => this.verb };
	}
}

/** Creates a response; using any other member throws an error with its name. */
export const navigationResponse = (address: string, code: number, verb?: string): NavigationResponse =>
	naming(new NavigationResponse(address, code, verb), 'response');
