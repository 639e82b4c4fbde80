import { naming } from './not-there.ts';

/** Answer of a server to a request of the page, as far as the preview sees it. */
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

/** An answer whose other members are named when they are used. */
export const navigationResponse = (address: string, code: number, verb?: string): NavigationResponse =>
	naming(new NavigationResponse(address, code, verb), 'response');
