import { expect, it } from "vitest";
import { understand } from "../../src/agents/understanding/understand.ts";

const asksForRefund = (text: string): boolean => {
  const [first] = understand(text).intents;
  return first?.intent === "refund-request";
};

it.each([
  "I don't want a refund, I want my parcel",
  "no quiero un reembolso, quiero mi pedido",
  "Ich will keine Erstattung, ich will mein Paket",
  "je ne veux pas de remboursement, je veux mon colis",
  "não quero reembolso, quero a minha encomenda",
  "non voglio un rimborso, voglio il mio pacco",
])("hears no wish for a refund in %j: who refuses one does not ask for money", (text) =>
  expect(asksForRefund(text)).toBe(false),
);

it.each([
  "I don't want a refund as a voucher, I want my money on my card",
  "I do not want a refund in store credit, pay me back",
  "no quiero un reembolso en vale, quiero el dinero",
  "Ich will keine Erstattung als Gutschein, ich will mein Geld zurück",
])("still hears the wish for a refund in %j: the way of it is refused, not the money", (text) =>
  expect(asksForRefund(text)).toBe(true),
);
