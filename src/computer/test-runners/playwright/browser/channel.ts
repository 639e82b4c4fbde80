import type { TestAnswer, TestAnswers, TestRequest } from '#environment/preview-testing.ts';

/** Sends requests to the preview, one after another. Answers were written by the page under test. */
export class Channel {
	constructor(private readonly send: (request: string) => Promise<string>) {}

	/** Rejects with the preview's message. */
	async ask<Do extends TestRequest['do']>(request: Extract<TestRequest, { do: Do }>): Promise<TestAnswers[Do]> {
		const answer = JSON.parse(await this.send(JSON.stringify(request))) as TestAnswer<Do>;
		if (!answer.ok) throw new Error(answer.message);
		return answer.value;
	}
}
