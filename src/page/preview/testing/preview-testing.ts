import type { TestAnswers, TestRequest } from '#environment/preview-testing.ts';

/** A preview whose pages can be tested. Rejects with `PreviewError`, or with the signal's reason. */
export interface PreviewTesting {
	test<Do extends TestRequest['do']>(
		request: Extract<TestRequest, { do: Do }>,
		signal: AbortSignal
	): Promise<TestAnswers[Do]>;
}
