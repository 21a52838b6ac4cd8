import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Write the licences of all packages that went into the bundle beside it, in one file. */
export function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle(_, bundle) {
      const folders = new Map<string, string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const id of Object.keys(chunk.modules)) {
          const found = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replaceAll("\0", ""));
          if (found?.[1] && found[2]) folders.set(found[2], found[1]);
        }
      }
      const parts = [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => told(name, folder));
      const source = `The page of Breakrank holds code of these packages.\n\n${parts.join("\n")}`;
      this.emitFile({ type: "asset", fileName: "LICENSE-packages.txt", source });
    },
  };
}

function told(name: string, folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string; license: string };
  const file = readdirSync(folder).sort().find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${about.license}`;
  return `---- ${name} ${about.version} (${about.license})\n\n${text}\n`;
}
