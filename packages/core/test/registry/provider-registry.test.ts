import { describe, expect, test } from "vitest";
import { RegistrationError, UnknownBackendError } from "../../src/errors/errors.js";
import { loadedOrigin, pluginOrigin, PluginOrigin } from "../../src/registry/plugin-origin.js";
import { ProviderRegistry } from "../../src/registry/provider-registry.js";
import { firstPartyPackageOf, reservedNames } from "../../src/registry/reserved-names.js";
import { providerWith, SampleProvider } from "../provider/sample-provider.js";

function failure(action: () => unknown): Error & { hint?: string | undefined } {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

function loaderOrigin(id: string, directory = `/plugins/${id}`): PluginOrigin {
  return loadedOrigin({ id, directory }, id);
}

describe("registering", () => {
  test("makes a provider known under its normalised name", () => {
    const registry = new ProviderRegistry();
    const provider = new SampleProvider(" Acme ");
    registry.register(provider, pluginOrigin({ id: "@acme/box" }));
    expect(registry.lookup("ACME").provider).toBe(provider);
    expect(registry.get("acme")?.origin).toMatchObject({ id: "@acme/box" });
  });

  test("lists providers sorted, as a copy", () => {
    const registry = new ProviderRegistry();
    const origin = pluginOrigin({ id: "many" });
    for (const name of ["zeta", "alpha", "mid_9"]) registry.register(new SampleProvider(name), origin);
    const list = registry.list();
    registry.register(new SampleProvider("beta"), origin);
    expect(list.map(({ name }) => name)).toEqual(["alpha", "mid_9", "zeta"]);
  });

  test("a wrong flag leaves the registry as it was", () => {
    const registry = new ProviderRegistry();
    expect(() => registry.register(providerWith({ isRemote: () => 1 }), pluginOrigin({ id: "x" }))).toThrow(
      RegistrationError,
    );
    expect(registry.list()).toEqual([]);
  });
});

describe("a reserved name", () => {
  test.each(reservedNames)("%s can be registered by its first-party package and by nobody else", (name) => {
    const registry = new ProviderRegistry();
    const owner = firstPartyPackageOf(name);
    const forged = [
      pluginOrigin({ id: owner }),
      loaderOrigin("@acme/box"),
      loadedOrigin({ id: owner, directory: "/p" }, null),
    ];
    for (const origin of forged) {
      const error = failure(() => registry.register(new SampleProvider(name), origin));
      expect(error).toBeInstanceOf(RegistrationError);
      expect(error.message).toContain(name);
      expect(error.message).toContain(owner);
      expect(error.message).toContain(origin.id);
    }
    registry.register(new SampleProvider(name), loaderOrigin(owner));
    expect(registry.lookup(name).name).toBe(name);
  });

  test.each(["Docker", " docker ", "DOCKER", "ｄｏｃｋｅｒ", "dоcker", "d0cker", "docker\u200b"])(
    "does not slip through as %j",
    (name) => {
      const registry = new ProviderRegistry();
      const error = failure(() =>
        registry.register(new SampleProvider(name), pluginOrigin({ id: "@acme/box" })),
      );
      expect(error).toBeInstanceOf(RegistrationError);
      expect(error.message).toContain('"docker"');
      expect(registry.list()).toEqual([]);
    },
  );

  test("of one first-party package cannot be taken by another", () => {
    const registry = new ProviderRegistry();
    expect(() =>
      registry.register(new SampleProvider("docker"), loaderOrigin("@talaria/backend-local")),
    ).toThrow(/reserved for @talaria\/backend-docker/);
  });

  test("cannot be had by an object that only looks like an origin", () => {
    const registry = new ProviderRegistry();
    const real = loaderOrigin("@talaria/backend-docker");
    const copies = [
      structuredClone({ id: real.id, directory: real.directory, version: real.version }),
      new PluginOrigin({ id: real.id, directory: real.directory }),
      Object.create(real) as PluginOrigin,
    ];
    for (const copy of copies) {
      expect(() => registry.register(new SampleProvider("docker"), copy)).toThrow(/not made by Talaria/);
    }
  });

  test("cannot be had through what the registry shows of its holder", () => {
    const registry = new ProviderRegistry();
    registry.register(new SampleProvider("docker"), loaderOrigin("@talaria/backend-docker"));
    const shown = registry.lookup("docker").origin as PluginOrigin;
    expect(() => registry.register(new SampleProvider("docker"), shown)).toThrow(RegistrationError);
    expect(() => registry.unregister(shown)).toThrow(RegistrationError);
    expect(registry.get("docker")).toBeDefined();
  });
});

describe("a name that is taken", () => {
  test("is refused to a second package, naming both", () => {
    const registry = new ProviderRegistry();
    const first = new SampleProvider("box");
    registry.register(first, loaderOrigin("@acme/box"));
    const error = failure(() => registry.register(new SampleProvider("box"), loaderOrigin("@other/box")));
    expect(error).toBeInstanceOf(RegistrationError);
    expect(error.message).toContain("@acme/box");
    expect(error.message).toContain("@other/box");
    expect(registry.lookup("box").provider).toBe(first);
  });

  test("is replaced when the same plugin is loaded again", () => {
    const registry = new ProviderRegistry();
    registry.register(new SampleProvider("box"), loaderOrigin("@acme/box"));
    const second = new SampleProvider("box");
    registry.register(second, loaderOrigin("@acme/box"));
    expect(registry.lookup("box").provider).toBe(second);
  });

  test("is not a reload when only the id is the same", () => {
    const registry = new ProviderRegistry();
    registry.register(new SampleProvider("box"), pluginOrigin({ id: "@acme/box" }));
    expect(() => registry.register(new SampleProvider("box"), pluginOrigin({ id: "@acme/box" }))).toThrow(
      RegistrationError,
    );
    expect(() =>
      registry.register(new SampleProvider("box"), loaderOrigin("@acme/box", "/elsewhere")),
    ).toThrow(RegistrationError);
  });

  test("has one winner when a getter registers a rival in the middle of a registration", () => {
    const registry = new ProviderRegistry();
    const rival = new SampleProvider("box");
    const sly = providerWith(
      {
        description: () => {
          registry.register(rival, pluginOrigin({ id: "rival" }));
          return "";
        },
      },
      "box",
    );
    const error = failure(() => registry.register(sly, pluginOrigin({ id: "sly" })));
    expect(error.message).toMatch(/sly.*rival/);
    expect(registry.lookup("box").provider).toBe(rival);
  });

  test("has one winner among many that race", async () => {
    const registry = new ProviderRegistry();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, index) => {
        await Promise.resolve();
        return registry.register(new SampleProvider("box"), pluginOrigin({ id: `racer-${index}` }));
      }),
    );
    const winners = results.filter((result) => result.status === "fulfilled");
    expect(winners).toHaveLength(1);
    expect(registry.list()).toHaveLength(1);
  });
});

describe("unregistering", () => {
  test("removes what is the plugin's own and nothing else", () => {
    const registry = new ProviderRegistry();
    const acme = pluginOrigin({ id: "acme" });
    const other = pluginOrigin({ id: "other" });
    registry.register(new SampleProvider("box"), acme);
    registry.register(new SampleProvider("crate"), acme);
    registry.register(new SampleProvider("tent"), other);
    expect(registry.unregister(other, "box")).toEqual([]);
    expect(registry.unregister(acme)).toEqual(["box", "crate"]);
    expect(registry.unregister(acme)).toEqual([]);
    expect(registry.list().map(({ name }) => name)).toEqual(["tent"]);
  });

  test("brings nothing back that was there before", () => {
    const registry = new ProviderRegistry();
    const acme = pluginOrigin({ id: "acme" });
    registry.register(new SampleProvider("box"), acme);
    registry.register(new SampleProvider("box"), acme);
    registry.unregister(acme);
    expect(registry.get("box")).toBeUndefined();
  });
});

describe("looking up an unknown name", () => {
  test("lists the known ones", () => {
    const registry = new ProviderRegistry();
    registry.register(new SampleProvider("tent"), pluginOrigin({ id: "x" }));
    registry.register(new SampleProvider("box"), pluginOrigin({ id: "x" }));
    const error = failure(() => registry.lookup("castle"));
    expect(error).toBeInstanceOf(UnknownBackendError);
    expect(error.message).toContain("known are box, tent");
  });

  test("offers the one that was probably meant", () => {
    const registry = new ProviderRegistry();
    registry.register(new SampleProvider("daylight"), pluginOrigin({ id: "x" }));
    expect(failure(() => registry.lookup("daylihgt")).hint).toContain('"daylight"');
  });

  test("gives the install line for a first-party backend that this version ships with", () => {
    const error = failure(() => new ProviderRegistry().lookup("local"));
    expect(error.hint).toBe("Install it: npm install @talaria/backend-local");
  });

  test.each(reservedNames.filter((name) => name !== "local"))(
    "says that %s is not released yet, and names nothing to install",
    (name) => {
      const error = failure(() => new ProviderRegistry().lookup(name));
      expect(error.message).toContain(`${firstPartyPackageOf(name)} is not released yet`);
      expect(error.hint).not.toContain("npm install");
    },
  );
});
