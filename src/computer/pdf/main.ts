import { basename } from '#computer/abi/paths.ts';
import { startProgram } from '#computer/process/start.ts';
import { pdfinfo } from './pdfinfo.ts';
import { pdftoppm } from './pdftoppm.ts';
import { pdftotext } from './pdftotext.ts';

const PROGRAMS = new Map([
	['pdftoppm', pdftoppm],
	['pdfinfo', pdfinfo]
]);

startProgram((context) => (PROGRAMS.get(basename(context.argv[0] ?? '')) ?? pdftotext)(context));
