// @ts-check
// Makes the checkout ready to run: installs dependencies and builds, whatever of the two is missing or stale.
import "./node-version.mjs";

const { bootstrapOrExit } = await import("./bootstrap/bootstrap.mjs");
await bootstrapOrExit();
