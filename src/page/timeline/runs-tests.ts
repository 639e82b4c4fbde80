const TESTS =
	/(^|[\s;&|(])((npm|pnpm|yarn|bun)( run)? t(est)?|(npx |bunx )?(vitest|jest|mocha|ava|tape|playwright test)|node( \S+)* --test|pytest|python3?( -m)? (unittest|pytest)|cargo test|go test|deno test|make (test|check)|mvn test|gradle test|rspec|phpunit)(?![\w-])/;

/** Returns true if a command line runs tests, judged by common names. */
export function runsTests(command: string): boolean {
	return TESTS.test(command);
}
