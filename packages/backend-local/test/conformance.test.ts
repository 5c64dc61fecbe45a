import { describeConformance } from "@talaria/conformance";
import { afterAll, describe, expect, it } from "vitest";
import { local } from "../src/index.js";

describeConformance({ describe, it, afterAll, expect }, () => local());
