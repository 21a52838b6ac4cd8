import { added } from "$page/added";
import { accepted } from "./accepted.svelte";
import { withFigures } from "./ahead";
import Ahead from "./Ahead.svelte";
import DeskView from "./DeskView.svelte";

added.desk = DeskView;
added.ahead = { marked: (found, view) => withFigures(found, accepted.placed(found, view), accepted.after), section: Ahead };
