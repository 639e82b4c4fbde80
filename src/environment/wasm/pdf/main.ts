import { startProgram } from '../process/start.ts';
import { pdftotext } from './pdftotext.ts';

startProgram(pdftotext);
