import { PreviewError } from '#environment/preview.ts';
import type { TestAnswer } from '#environment/preview-testing.ts';
import type { PreviewTesting } from './preview-testing.ts';
import { parseTestRequest } from './requests.ts';

/** Time limit in milliseconds for one request, whatever the program specifies. */
const MOST_MS = 620_000;

/**
 * Answers requests of programs on the computer that test the displayed page. One request at a time: there is only one
 * page.
 *
 * @param isEnclosed see `PreviewControl.isEnclosed`: if pages can reach the network, a program must not open one
 */
export function answerPrograms(testing: PreviewTesting, isEnclosed: boolean): (request: string) => Promise<string> {
	let last: Promise<unknown> = Promise.resolve();
	const answer = async (json: string): Promise<TestAnswer> => {
		const request = parseTestRequest(json);
		if (!request) return { ok: false, message: 'The preview takes no such request.' };
		if (!isEnclosed && request.do === 'go') return { ok: false, message: OPEN_BROWSER };
		try {
			return { ok: true, value: await testing.test(request, AbortSignal.timeout(MOST_MS)) };
		} catch (error) {
			if (!(error instanceof PreviewError)) throw error;
			return { ok: false, message: error.message };
		}
	};
	return (json) => {
		const result = last.then(() => answer(json));
		last = result.catch(() => {
			// The error is reported to the program that sent the request; the next request does not depend on it.
		});
		return result.then((value) => JSON.stringify(value));
	};
}

const OPEN_BROWSER =
	'This browser does not keep a displayed page from the network, so programs open none in it. Run the tests in Chromium 152 or later.';
