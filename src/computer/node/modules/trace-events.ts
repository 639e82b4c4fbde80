import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, unsupported } from '../runtime/errors.ts';
import { plainObject, string } from '../runtime/validate.ts';

/** Categories of events that would be recorded. Enabling them is refused: nothing records here. */
class Tracing {
	readonly #categories: string;

	constructor(categories: string[]) {
		this.#categories = categories.join(',');
	}

	get enabled(): boolean {
		return false;
	}

	get categories(): string {
		return this.#categories;
	}

	/** @throws ERR_SANDGLASS_UNSUPPORTED */
	enable(): never {
		throw unsupported('tracing.enable()', 'Measure with node:perf_hooks.');
	}

	disable(): void {
		// Nothing is enabled.
	}

	[inspect.custom](): string {
		return `Tracing ${inspect({ enabled: this.enabled, categories: this.categories })}`;
	}
}

/** `node:trace_events`, as in a Node that traces nothing. */
export const traceEvents = {
	/** @throws ERR_INVALID_ARG_TYPE, ERR_TRACE_EVENTS_CATEGORY_REQUIRED */
	createTracing(options: unknown): Tracing {
		plainObject(options, 'options');
		const { categories } = options as { categories: unknown };
		if (!Array.isArray(categories)) throw invalidArgument('options.categories', 'an instance of Array', categories);
		for (const [index, category] of categories.entries()) string(category, `options.categories[${index}]`);
		if (categories.length === 0) {
			throw nodeError(TypeError, 'ERR_TRACE_EVENTS_CATEGORY_REQUIRED', 'At least one category is required');
		}
		return new Tracing(categories as string[]);
	},
	/** Categories that are recorded: none. */
	getEnabledCategories: (): undefined => undefined
};
