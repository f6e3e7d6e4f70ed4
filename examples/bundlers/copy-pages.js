import { cpSync } from 'node:fs';

cpSync('pages', process.argv[2], { recursive: true });
