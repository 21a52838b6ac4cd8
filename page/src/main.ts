import { mount } from "svelte";
import App from "./App.svelte";
import "./css/tokens.css";
import "./css/base.css";
import "./css/parts.css";

const target = document.getElementById("app");
if (target) {
  target.replaceChildren();
  mount(App, { target });
}
