// @ts-check
// Bundles the package in the working directory, for nx: the bootstrap does it by itself.
import path from "node:path";
import { bundle } from "./bootstrap/bundle.mjs";

const root = path.resolve(import.meta.dirname, "..");
await bundle(root, path.relative(root, process.cwd()));
