import { describe } from 'vitest';
import { MemoryFolder } from '#session/storage/memory-file.ts';
import { appendFolderContract } from './append-file.ts';

describe('a folder in memory', () => appendFolderContract(async () => new MemoryFolder()));
