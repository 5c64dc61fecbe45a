/** A promise that a test settles when it likes. */
export class Deferred {
  readonly promise: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve) => (this.#resolve = resolve));
  }

  resolve(): void {
    this.#resolve();
  }
}
