/** The demo's storefront: somebody's orders, the widget as a shop embeds it, and the provider's faults. */
import { render } from "preact";
import { Shop } from "./shop.tsx";
import "./shop.css";

const root = document.getElementById("shop");
if (root !== null) render(<Shop />, root);
