import type { Host } from '../host.ts';
import { readTestArguments } from '../arguments.ts';
import { runTestCommand } from './test-command.ts';
import type { World } from './world.ts';

const VERSION = 'Version 1.65';

const HELP = `Usage: npx playwright test [options] [test-filter...]

Runs tests of this project's pages in the preview of this tab.

Options:
  -c, --config <file>        configuration file
  -g, --grep <pattern>       only tests that match
  -gv, --grep-invert <pattern>
  --project <name...>        only these projects
  --retries <count>
  --reporter <names>         list, line, dot, html, json
  --timeout <ms>             time for each test
  --max-failures <count>, -x stop after so many failures
  --output <folder>          attachments of tests
  --list                     list the tests, run none
  --forbid-only, --pass-with-no-tests
`;

/** Runs `playwright …`. @returns the exit code */
export async function runCommandLine([command, ...words]: string[], host: Host, world: World): Promise<number> {
	switch (command) {
		case '--version':
		case '-V':
			host.print(`${VERSION}\n`);
			return 0;
		case undefined:
		case 'help':
		case '--help':
		case '-h':
			host.print(HELP);
			return 0;
		case 'install':
		case 'install-deps':
		case 'uninstall':
			host.print('There is no browser to install: tests run in the preview of this tab.\n');
			return 0;
		case 'show-report':
			host.print(`Open ${words[0] ?? 'playwright-report'}/index.html in the preview.\n`);
			return 0;
		case 'test':
			if (words.includes('--help') || words.includes('-h')) return (host.print(HELP), 0);
			break;
		default:
			host.print(
				`error: playwright ${command} is not there in a browser tab. There are: test, install, show-report.\n`
			);
			return 1;
	}
	try {
		return await runTestCommand(readTestArguments(words), host, world);
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		host.print(`${/^(unknown option|option )/.test(error.message) ? 'error' : 'Error'}: ${error.message}\n`);
		return 1;
	}
}
