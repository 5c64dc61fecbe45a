export { local } from "./local.js";
export type { LocalOptions } from "./local-options.js";
export { LocalProvider } from "./local-provider.js";
export { register } from "./register.js";
