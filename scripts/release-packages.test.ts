import { expect, test } from 'vitest'
import { importedBy } from './release-packages.ts'

test('the packages of bundled code are found, however it imports them', () => {
  const text = `import pg from "pg";
import { a as b,
  c } from '@scope/name/deep/file.js';
import "side-effect";
export { x } from "lodash/get";
const lazy = await import("sharp"); import { join } from "node:path"; import fs from "fs";
import chunk from "./chunk-ABC.js";
console.log("from 'nothing'");`
  expect(importedBy(text)).toEqual(['pg', '@scope/name', 'side-effect', 'lodash', 'sharp'])
})
