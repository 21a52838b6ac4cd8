import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { licences } from "./tools/licences";

// The page is served under a policy that allows no inline script or style, so nothing is inlined, and the
// names of the files come from what is in them: the same sources give the same bytes.
export default defineConfig({
  plugins: [svelte({ emitCss: true }), licences()],
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
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
