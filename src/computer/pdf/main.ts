import { startProgram } from '#computer/process/start.ts';
import { pdftotext } from './pdftotext.ts';

startProgram(pdftotext);
