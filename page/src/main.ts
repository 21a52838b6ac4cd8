import { mount } from "svelte";
import App from "./App.svelte";
import "./css/tokens.css";
import "./css/base.css";
import "./css/parts.css";

// Packages beside the page register what they add to it.
import.meta.glob("../../packages/*/page/register.ts", { eager: true });

const target = document.getElementById("app");
if (target) {
  target.replaceChildren();
  mount(App, { target });
}
