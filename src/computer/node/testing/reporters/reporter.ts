import type { TestEvent } from '../events.ts';

/** Output and format of a reporter. */
export interface ReporterOptions {
	write(text: string): void;
	colours: boolean;
	cwd: string;
}

/** Takes the events of a run in their order and writes what it makes of them. */
export type Reporter = (event: TestEvent) => void;
