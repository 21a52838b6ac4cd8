import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { licences } from "./tools/licences";

// The page is served under a policy that allows no inline script or style, so nothing is inlined, and the
// names of the files come from what is in them: the same sources give the same bytes.
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The view of the desk lies with its package; both are built into the one page. What marks a component's styles
// comes from its place in the project: by default the whole path counts for files beside this folder.
const cssHash = ({ hash, filename }: { hash: (text: string) => string; filename: string }): string =>
  `svelte-${hash(relative(at(".."), filename))}`;

export default defineConfig({
  resolve: { alias: { $page: at("src") }, dedupe: ["svelte"] },
  plugins: [svelte({ emitCss: true, compilerOptions: { cssHash } }), licences()],
  base: "./",
  publicDir: false,
  server: { fs: { allow: [".."] } },
  build: {
    outDir: "../src/breakrank/page/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        // Charts of the server load later than maps, which share three small packages with them.
        manualChunks: (id) => (/node_modules\/(d3-geo|d3-array|internmap|topojson-client)\//.test(id) ? "geo" : /node_modules\/(vega|d3-|topojson|fast-|semver|json-stringify)/.test(id) ? "vega" : undefined),
      },
    },
  },
  test: { include: ["tests/**/*.test.ts", "../packages/desk/page/*.test.ts"], environment: "node" },
});
