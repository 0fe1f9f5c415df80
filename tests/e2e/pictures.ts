/** Takes the pictures of `docs/` from the running product: `npm run pictures`, with Debian's Chromium. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { say, setStage } from "./stage.ts";

const FOLDER = join(import.meta.dirname, "../../docs/pictures");
const WIDE = { viewport: { width: 1180, height: 720 } };

const stage = await setStage();
const take = (page: Page, name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`) });
try {
  await stage.talk("ada", "I want a refund for the socks", "yes");
  await stage.talk("ben", "I want to talk to a person");
  await stage.talk("dev", "I want a refund for order 1055", "yes");

  const lead = await stage.console(/Olivia/, WIDE);
  await lead.getByRole("option", { name: /#1055/ }).click();
  await lead.getByRole("button", { name: /^Approve/ }).waitFor();
  await lead.getByRole("log", { name: "Messages" }).waitFor();
  await take(lead, "queue");

  await lead.goto(`${stage.url}/console/actions?order_number=1042`);
  await lead.getByRole("button", { name: /Refund #1042/ }).click();
  await lead.getByRole("heading", { name: "What became of it" }).waitFor();
  await take(lead, "action");

  const admin = await stage.console(/Ada Min/, WIDE);
  await admin.goto(`${stage.url}/console/policies?view=try`);
  const text = admin.getByRole("textbox", { name: "Text" });
  await text.fill((await text.inputValue()).replace('USD: "100.00"', 'USD: "10.00"'));
  await admin
    .getByLabel("Effective from")
    .fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
  await admin.getByRole("button", { name: /^Publish/ }).click();
  await admin
    .getByRole("dialog")
    .getByText(/would have gone the other way/)
    .waitFor();
  await take(admin, "policy-preview");
  await admin.goto(`${stage.url}/console/policies?view=difference&version=3&against=2`);
  await admin.getByText("Clauses").or(admin.getByText("Limits")).first().waitFor();
  await take(admin, "policy-difference");

  const shop = await stage.shop("cleo", { viewport: { width: 1180, height: 760 } });
  await say(shop, "What is your return policy?");
  await shop
    .getByText(/30 days/)
    .first()
    .waitFor();
  await say(shop, "Where is my order?");
  await shop.locator(".card").first().waitFor();
  await shop.locator(".dots").waitFor({ state: "hidden" });
  await take(shop, "widget");

  const phone = await stage.console(/Olivia/, { viewport: { width: 390, height: 760 }, hasTouch: true });
  await phone.getByRole("option", { name: /#1055/ }).click();
  await phone.getByRole("button", { name: /^Approve/ }).waitFor();
  await take(phone, "phone");
} finally {
  await stage.close();
}
