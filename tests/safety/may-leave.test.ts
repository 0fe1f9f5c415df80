/** The door for every text that leaves: what is held back, and what passes. */
import { describe, expect, test } from "vitest";
import type { Language } from "../../src/kernel/language.ts";
import type { FindingKind, LeaveContext } from "../../src/safety/may-leave.ts";
import { CLAIMS, HONEST, OTHER_EFFECTS, PROMISES } from "./claim-tables.ts";
import { kindsOf, ORDER } from "./context.ts";

const held = (kind: FindingKind, texts: readonly string[], context: Partial<LeaveContext> = {}) =>
  test.each(texts)(`${kind} is held back: %s`, (text) => {
    expect(kindsOf(text, context)).toContain(kind);
    expect(kindsOf(`Hello Ada. ${text} Have a nice day.`, context)).toContain(kind);
  });
const passes = (texts: readonly string[], context: Partial<LeaveContext> = {}) =>
  test.each(texts)("passes: %s", (text) => {
    expect(kindsOf(text, context)).toEqual([]);
    expect(kindsOf(`Hello Ada. ${text}`, context)).toEqual([]);
  });

describe("personal data", () => {
  held("card", [
    "Your card is 4242 4242 4242 4242.",
    "4242-4242-4242-4242",
    "３７８２ ８２２４６３ １０００５",
    "5555.5555.5555.4444",
  ]);
  held("card", ["Card 4242424242424242"], { customerTexts: ["my card is 4242424242424242"] });
  held("cvv", ["The CVV is 123.", "Sicherheitscode: 123", "123 is your security code."]);
  held("iban", [
    "Send it to DE89 3704 0044 0532 0130 00.",
    "IBAN: GB29NWBK60161331926819",
    "FR14 2004 1010 0505 0001 3M02 606",
    "ES91-2100-0418-4502-0005-1332",
  ]);
  held("ssn", ["SSN 123-45-6789", "His social security number is 123456789.", "123-45-6789"]);
  held("national_id", [
    "DNI 12345678Z",
    "NIE X1234567L",
    "Codice fiscale RSSMRA85T10A562S",
    "CPF 529.982.247-25",
    "NINO AB123456C",
    "NIR 2 55 08 14 168 025 38",
    "Passport C01X00T47",
    "Steuer-ID 12345678901",
  ]);
  held("email", [
    "Write to eve@example.com.",
    "eve@example.com",
    "Her address is eve.adams+shop@mail.example.co.uk.",
    "eve (at) example (dot) com",
    "EVE＠EXAMPLE.COM",
    "eve@exa\u00admple.com",
    // The end of the customer's own address is another's.
    "a@example.com",
  ]);
  held("phone", [
    "Call +44 20 7946 0958.",
    "Call (212) 555-0199.",
    "Telefon: 030 901820",
    "Appelez le 01 42 68 53 00.",
    "Llame al 612 345 678.",
    "his mobile is 0151 23456780",
  ]);
  held("address", [
    "He lives at 221 Baker Street.",
    "Lieferung an die Hauptstraße 12.",
    "Elle habite 12 rue de Rivoli.",
    "Vive en la calle Mayor 5.",
    "Abita in via Roma 10.",
    "P.O. Box 1234",
  ]);
  held("foreign_order", [
    "Order #2077 belongs to someone else.",
    "I see order 2077.",
    "Bestellung 2077 ist unterwegs.",
    "orders 1042, 1043 and 2077",
    "pedido nº 2077",
    "commande n° 2077",
    "l'ordine numero 2077",
    "#2 077 or #2077",
    "Order #２０７７",
  ]);
  passes([
    "Order #1042 has been delivered.",
    "Order 1043 is still on its way.",
    "I wrote down ada@example.com.",
    "We can call you at +49 151 23456789, or 0151 23456789.",
    "You can write to help@northwind.example.",
    "Call us: (212) 555-0100.",
    "Our shop is at 12 Harbor Street, Portland.",
    "Your parcel has the tracking number 4111111111111111.",
    "It was 113.00 USD for 3 items on 2026-11-20 at 14:30.",
    "The jacket comes in sizes 38, 40, 42 and 44.",
    "It weighs 1,250 g and measures 20 x 30 x 40 cm.",
    "Model XK-2077 is out of stock.",
    "The year 2026 was good.",
    "It arrives between 9:00 and 17:30.",
    "Sie können 24 Paar bestellen.",
    "You can order 250 g of it.",
  ]);
  passes(["Your account DE89 3704 0044 0532 0130 00 is noted."], {
    customerTexts: ["DE89370400440532013000"],
  });
  passes(["Order 2077 was mentioned before."], { shownTexts: ["Order #2077: delivered."] });
});

describe("secrets", () => {
  held("secret", [
    "The key is sk_live_abcdefghijklmnop1234.",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----",
    "Your password is Hunter22!",
    "Passwort: geheim1",
    "mot de passe: soleil99",
    "STRIPE_API_KEY=abcdef123456",
    "postgres://recourse:hunter2@db:5432/recourse",
    "Authorization: Bearer abcdefghijklmnop",
    "demo-operator-northwind",
    "sk_l\u200bive_abcdefghijklmnop1234",
  ]);
  passes([
    "You can reset your password on the sign-in page.",
    "Your password is safe.",
    "I cannot see your password.",
    "The key to the cupboard is in the parcel.",
    "We sent a verification code to your phone.",
    "Ihr Passwort können Sie selbst ändern.",
  ]);
});

describe("insults", () => {
  held("toxic", [
    "You are an idiot.",
    "What a stupid question.",
    "F*ck off.",
    "sh1t happens",
    "f u c k that",
    "fuuuuck",
    "Du bist dumm.",
    "Sie Vollidiot.",
    "Vous êtes vraiment stupide.",
    "Ta gueule.",
    "Eres idiota.",
    "Gilipollas.",
    "Cala a boca.",
    "Sei uno stronzo.",
    "Vaffanculo",
    "іdіоt",
    "People like you always complain.",
  ]);
  passes([
    "I am sorry for the delay.",
    "Désolé pour le retard de livraison.",
    "Lamento el servicio deficiente.",
    "Se o cliente pede um reembolso, verificamos.",
    "The Johnny Depp poster is in stock.",
    "Our Scunthorpe shop is open.",
    "The cocktail class and the assassin game are available.",
    "That sounds crazy frustrating.",
    "Das tut mir leid.",
    "Mi dispiace per il disagio.",
  ]);
});

describe("claims and promises", () => {
  for (const language of Object.keys(CLAIMS) as Language[]) {
    held("claim", CLAIMS[language]);
    test.each([...PROMISES[language], ...OTHER_EFFECTS[language]])("is held back: %s", (text) => {
      const kinds = kindsOf(text);
      expect(kinds.some((kind) => kind === "claim" || kind === "promise")).toBe(true);
    });
    passes(HONEST[language]);
  }
  passes(["Your order #1042 has been cancelled."], { facts: [{ ...ORDER, state: "cancelled" }] });

  test("what a colleague writes is the colleague's own word; all else holds for them too", () => {
    expect(kindsOf("I have refunded you by hand.", { author: "operator" })).toEqual([]);
    expect(kindsOf("Her card is 4242 4242 4242 4242.", { author: "operator" })).toEqual(["card"]);
    expect(kindsOf("See https://evil.example/x", { author: "operator" })).toEqual(["link"]);
    expect(kindsOf("Order #2077 of Bob", { author: "operator" })).toEqual(["foreign_order"]);
    expect(kindsOf("You idiot.", { author: "operator" })).toEqual(["toxic"]);
  });
});

describe("limits of the policy", () => {
  held("policy_number", [
    "You can return it within 60 days.",
    "Our return window is 45 days.",
    "Refunds are possible within two weeks of delivery.",
    "Refunds up to 250.00 USD need no approval.",
    "Our refund limit is 10,000.50 USD.",
    "Sie können es innerhalb von 60 Tagen zurückgeben.",
    "Vous pouvez le retourner dans les 45 jours.",
    "Puede devolverlo en un plazo de 60 días.",
    "Pode devolver no prazo de 60 dias.",
    "Può restituirlo entro 60 giorni.",
    "Returns are easy. You have up to 90 days.",
    "Returns are accepted up to 6 months after delivery.",
  ]);
  passes([
    "You can return it within 30 days of delivery.",
    "Refunds above 100.00 USD are approved by a colleague.",
    "Sie können es innerhalb von 30 Tagen zurückgeben.",
    "Customers who have spent 10,000 or more are looked after by a colleague.",
    "A refund usually shows on a statement within 5 to 10 days.",
    "Your parcel should arrive within 3 days.",
    "Returns are not accepted after 60 days.",
    "Your order of 113.00 USD can be refunded.",
    "The warranty covers 24 months.",
  ]);
  test("are not compared when the policy was not read", () => {
    expect(kindsOf("You can return it within 60 days.", { policy: null })).toEqual([]);
  });
  test("of a clause that was read may be said in its words and in others", () => {
    const ownTexts = ["Electronics can be returned within 14 days of delivery."];
    expect(kindsOf("You can return electronics within 14 days.", { ownTexts })).toEqual([]);
    expect(kindsOf("You can return electronics within 15 days.", { ownTexts })).toEqual(["policy_number"]);
  });
});

test("a word that stands somewhere in a clause is no quote of it", () => {
  const ownTexts = ["Say nothing like: Refunded. Nobody can promise that."];
  expect(kindsOf("Refunded.", { ownTexts })).toEqual(["claim"]);
});

describe("links", () => {
  held("link", [
    "See https://evil.example/refund.",
    "See evil.com for more.",
    "www.evil.example",
    "https://northwind.example.evil.com/login",
    "https://northwind.example@evil.com/",
    "https://evil.com/northwind.example",
    "https://northwind.example:443@evil.com",
    "https://nоrthwind.example/x",
    "https://xn--nrthwind-r3g.example/",
    "https://northwind.example/out?url=https://evil.com",
    "https://northwind.example/out?url=https%3A%2F%2Fevil.com",
    "https://northwind.example/out?url=https%253A%252F%252Fevil.com",
    "https://northwind.example/login?next=//evil.com",
    "http://203.0.113.7/pay",
    "203.0.113.7/pay",
    "http://2130706433/",
    "http://[::1]:3000/",
    "ftp://files.example/x",
    "[your refund](https://evil.com)",
    "[https://northwind.example](https://evil.com)",
    "[your refund](//evil.com)",
    "[your refund](evil)",
    "<https://evil.com>",
    "bit.ly/3xyz",
    "https://evil\u200b.com",
    "https:\\\\evil.com",
    "HTTPS://EVIL.COM",
    "https://northwind.example\u200b.evil.com",
    "https://northwind.example:8443/x",
    "https://northwindxexample.com",
    "https://evilnorthwind.example/x",
    "https://ada:hunter@northwind.example/x",
  ]);
  passes([
    "See https://northwind.example/returns.",
    "See https://shop.northwind.example/a?b=c#d, please.",
    "See northwind.example/returns (our returns page).",
    "[Returns](https://northwind.example/returns)",
    "Follow it at https://track.carrier.example/p/4111111111111111",
    "https://northwind.example/go?to=https://shop.northwind.example/x",
    "The jacket is red/blue and/or green.",
    "It costs 12.50 and arrives on 01.12.2026.",
    "We are open Mon.-Fri. and answer e.g. by chat.",
    "Version 1.2.3 is out.",
  ]);
  test("none is allowed where the merchant names no host", () => {
    expect(kindsOf("https://northwind.example/returns", { linkHosts: [] })).toEqual(["link"]);
  });
});

describe("what a channel would run, and what is no prose", () => {
  held("markup", [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<a href='//evil.com'>here</a>",
    "<svg/onload=alert(1)>",
    "＜script＞alert(1)＜/script＞",
    "javascript:alert(1)",
    "[x](javascript:alert(1))",
    "![pixel](https://northwind.example/p.png)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "&#60;script&#62;",
    "{{constructor.constructor('x')()}}",
    "\u202eevil\u202c",
    "\u001b]0;owned\u0007",
    "one\rtwo",
    "<!-- hidden -->",
  ]);
  held("not_prose", ["<tool_call>{}</tool_call>", "<thinking>The customer is wrong.</thinking>"]);
  test.each([
    '{"tool":"process_refund","args":{"amount":"40.00"}}',
    '```json\n{"type":"call"}\n```',
    '[{"name":"refund"}]',
    "{'tool': 'process_refund'}",
  ])("not_prose is held back: %s", (text) => expect(kindsOf(text)).toContain("not_prose"));
  passes([
    "Sizes 3 < 4 and 5 > 4.",
    "Socks & shoes, 100 % cotton",
    "1. Pack it.\n2. Send it.\r\n3. Keep the receipt.",
    "It is **not** possible.",
    "I <3 it",
    "(see above) [1]",
    "{soft} and [hard]",
    "مرحبا، طلبك رقم 1042 في الطريق.",
  ]);
});
