import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { PreviewControl } from '#environment/preview.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';

/** An environment whose servers and documents the page displays. */
export class PreviewingEnvironment extends DelegatingEnvironment {
	constructor(
		inner: ExecutionEnvironment,
		private readonly control: PreviewControl
	) {
		super(inner);
	}

	override get preview(): PreviewControl {
		return this.control;
	}
}
