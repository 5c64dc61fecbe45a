// Imported first by every entry, so that an old Node gets a sentence instead of a stack trace: nothing newer than
// Node 14's syntax in here, and no imports.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `talaria: Node.js ${process.versions.node} is too old: 20.19 or newer is needed. ` +
      "Install a current version and run the command again.\n",
  );
  process.exit(1);
}
