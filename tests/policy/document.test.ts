import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPolicy } from "../../src/gateway/policy/document.ts";
import type { PolicyFault } from "../../src/gateway/policy/faults.ts";
import { FACT_NAMES } from "../../src/gateway/policy/schema.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { SEED, sourceOf, version } from "./facts.ts";

/** Every document that ships. */
const SHIPPED = [
  "northwind-refunds-v1",
  "northwind-refunds-v2",
  "northwind-refunds-v3",
  "kestrel-refunds-v1",
  "kestrel-refunds-v2",
];
const SOURCE = sourceOf("northwind-refunds-v2");
const WINDOW = "within {{limits.return_window_days}} days of delivery. The day of";

const faultsOf = (source: string): readonly PolicyFault[] => {
  const parsed = readPolicy(source);
  return parsed.ok ? [] : parsed.faults;
};
const changed = (find: string, replacement: string): string => {
  expect(SOURCE).toContain(find);
  return SOURCE.replace(find, () => replacement);
};
/** Line and column of the `¦` in a document, and the document without it. */
function pointed(find: string, replacement: string) {
  const marked = changed(find, replacement);
  const before = marked.slice(0, marked.indexOf("¦")).split("\n");
  return {
    source: marked.replace("¦", ""),
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
}
/** A rule in a clause of its own, after the rest. */
const withRule = (rule: string) =>
  `${SOURCE}\n## Extra {#extra}\n\nMore.\n\n> Customer: More.\n\n\`\`\`cedar\n${rule}\n\`\`\`\n`;
const forbid = (condition: string) => `forbid (principal, action, resource) when { ${condition} };`;

describe("every fault has the line and column where it is, and one cause is one fault", () => {
  const table: [string, string, string, RegExp][] = [
    [
      "an unknown field",
      "governed_by: order",
      "¦windows: 3\ngoverned_by: order",
      /windows: there is no such/,
    ],
    [
      "an unknown limit",
      "  unattended_max:",
      "  ¦max: 3\n  unattended_max:",
      /limits\.max: there is no such/,
    ],
    ["a field twice", "tenant: northwind", "tenant: northwind\n¦tenant: kestrel", /unique/],
    [
      "a rule of governing that is none",
      "governed_by: order_placed",
      "governed_by: ¦order_plcaed",
      /governed_by/,
    ],
    ["a version that is a number", 'version: "2"', "version: ¦2", /version/],
    ["a day that is none", "effective_from: 2026-03-01", "effective_from: ¦2026-02-30", /effective_from/],
    ["an amount without quotes", 'USD: "100.00"', "USD: ¦100.00", /unattended_max\.USD/],
    ["half a yen", 'JPY: "75000"', 'JPY: ¦"75000.5"', /max_amount\.JPY.*JPY/],
    ["four decimals of a dinar", 'KWD: "30.000"', 'KWD: ¦"30.0001"', /unattended_max\.KWD.*KWD/],
    ["an amount below zero", 'USD: "500.00"', 'USD: ¦"-500.00"', /max_amount\.USD/],
    ["a currency that is none", 'USD: "500.00"', '¦UDS: "500.00"', /UDS is not a currency/],
    ["days that are not whole", "return_window_days: 30", "return_window_days: ¦30.5", /return_window_days/],
    ["an alias", "tenant: northwind", "tenant: &a northwind\nx: ¦*a", /alias/],
    ["a heading without an ID", "## Gifts {#gift}", "## ¦Gifts", /no ID/],
    ["an ID twice", "## Gifts {#gift}", "## ¦Gifts {#disputed}", /twice/],
    ["an ID with capitals", "## Gifts {#gift}", "## ¦Gifts {#Gift}", /not an ID/],
    ["a heading of another level", "## Gifts {#gift}", "¦### Gifts {#gift}", /not a clause/],
    ["an unknown placeholder", WINDOW, "within ¦{{limits.window}} days of", /no \{\{limits\.window/],
    ["half a placeholder", WINDOW, "within ¦{{limits.return_window_days} days of", /not complete/],
    ["a placeholder of a currency without a limit", WINDOW, "up to ¦{{limits.unattended_max.EUR}} of", /EUR/],
    ["an invisible character", "Items marked", "Items ¦\u200Bmarked", /U\+200B/],
    ["a comment over lines", "Items marked", "Items ¦<!--\nmarked -->", /comment/],
    ["a fence with tildes", "```cedar\npermit", "¦~~~cedar\npermit", /fence/],
    ["a fence of another name", "```cedar\npermit", "¦```Cedar\npermit", /fence/],
    ["a fence in a list", "```cedar\npermit", "¦- ```cedar\npermit", /fence/],
    [
      "a rule outside of a block",
      "Items marked",
      "¦forbid (principal, action, resource);\nItems marked",
      /enforced/,
    ],
    ["a rule without its end", "when { context.order.gift };", "when { context.order.gift }", /does not end/],
    ["a rule that cannot be read", "{ context.order.gift };", "{ context.order.gift ¦;", /Cedar: unexpected/],
    ["an unknown fact", "{ context.order.gift };", "{ ¦context.order.isGift };", /isGift/],
    [
      "an unknown action",
      'forbid (principal, action == Action::"refund", resource)\nwhen { context.order.d',
      'forbid (principal, action == Action::"refnud", resource)\nwhen { context.order.d',
      /refnud/,
    ],
    ["a state that is none", 'state == "cancelled"', 'state == ¦"canceled"', /never "canceled"/],
    [
      "a limit read without has",
      "context.limits has unattendedMaxMinor && context.request.amountMinor <= context",
      "context.request.amountMinor <= ¦context",
      /unattendedMaxMinor/,
    ],
    [
      "a number in a rule",
      "daysSinceDelivery > context.limits.returnWindowDays",
      "daysSinceDelivery > ¦45",
      /45 is a number/,
    ],
    ["a comparison of text with a number", "context.order.gift }", "¦context.order.currency == 1 }", /types/],
  ];
  test.each(table)("%s", (_, find, replacement, message) => {
    const { source, line, column } = pointed(
      find,
      replacement.includes("¦") ? replacement : `${replacement}¦`,
    );
    const faults = faultsOf(source);
    const matching = faults.filter((fault) => message.test(fault.message));
    expect(matching.length, JSON.stringify(faults)).toBeGreaterThan(0);
    if (replacement.includes("¦")) expect(matching[0]).toMatchObject({ line, column });
    expect(new Set(faults.map((fault) => fault.line)).size, JSON.stringify(faults)).toBe(1);
    for (const fault of faults) expect(fault.fix).not.toBe("");
  });

  test("the same line twice in one block is told apart", () => {
    const twice = withRule(
      `${forbid("context.order.gift")}\n\n${forbid("context.order.gift")}\n${forbid("1 ==")}`,
    );
    expect(faultsOf(twice).map(({ line }) => twice.split("\n")[line - 1])).toEqual([forbid("1 ==")]);
  });

  test("twelve rules of one clause keep their order and their lines", () => {
    const rules = Array.from(
      { length: 12 },
      (_, n) => `// ${n}; "\n${forbid(`context.order.paidMinor == ${n % 2}`)}`,
    );
    const source = withRule(rules.join("\n\n"));
    const parsed = readPolicy(source);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const extra = parsed.policy.statements.filter(({ clauseId }) => clauseId === "extra");
    expect(extra.map(({ id }) => id)).toEqual(rules.map((_, n) => `extra#${n + 1}`));
    for (const { line, text } of extra) expect(source.split("\n")[line - 1]).toBe(text);
  });

  test("columns count characters, not bytes", () => {
    const { source, line, column } = pointed(
      "{ context.order.gift };",
      '{ "äöü€😀" == "" || ¦context.order.isGift };',
    );
    expect(faultsOf(source)).toContainEqual(expect.objectContaining({ line, column }));
  });

  test("line ends of Windows and a byte order mark change neither places nor what is read", () => {
    const source = changed("context.order.gift", "context.order.isGift");
    expect(faultsOf(`\uFEFF${source.replaceAll("\n", "\r\n")}`)).toEqual(faultsOf(source));
    const parsed = readPolicy(`\uFEFF${SOURCE.replaceAll("\n", "\r\n")}`);
    const { clauses, limits, statements } = version("northwind-refunds-v2");
    expect(parsed.ok && parsed.policy).toMatchObject({ clauses, limits, statements });
  });

  test("faults of every part of a document are told at once, in order", () => {
    const source = SOURCE.replace("governed_by: order_placed", "governed_by: sometimes")
      .replace('JPY: "75000"', 'JPY: "75000.5"')
      .replace(WINDOW, "within 45 days or {{limits.x}} of")
      .replace("context.order.disputed", "context.order.isDisputed")
      .replace("context.order.gift }", "context.order.gift ")
      .replace("> Customer: Refunds of this size", "> Refunds of this size");
    const faults = faultsOf(source);
    expect(faults.map(({ line }) => line)).toEqual([...faults.map(({ line }) => line)].sort((a, b) => a - b));
    for (const message of [
      /governed_by/,
      /75000\.5/,
      /45 days/,
      /limits\.x/,
      /isDisputed/,
      /Cedar: unexpected/,
      /no sentence/,
    ])
      expect(faults.filter((fault) => message.test(fault.message)).length, String(message)).toBe(1);
  });

  test("two rules that cannot be read, in one block, are two faults", () => {
    const faults = faultsOf(withRule(`${forbid("1 =")}\n${forbid("= 1")}`));
    expect(faults.length).toBe(2);
  });

  test("a list of faults has an end", () => {
    const faults = faultsOf(`${SOURCE}\n${"{{nothing}}\n".repeat(1_000)}`);
    expect(faults.length).toBe(LIMITS.policyFaults + 1);
    expect(faults.at(-1)?.message).toContain("900");
  });
});

describe("customers read no number that is not a limit's", () => {
  const refused = [
    "within 45 days of",
    "within 45\ndays of",
    "within 45 calendar days of",
    "within **45** days of",
    "within 45&nbsp;days of",
    "within [45](x) days of",
    "in a 45-day window of",
    "on the 45th day of",
    "on day 45 of",
    "within 45 (forty-five) days of",
    "within ４５ days of",
    "within ٤٥ days of",
    "within 4\u200D5 days of",
    "within thirty days of",
    "within thirty-five days of",
    "within Thirty\nDays of",
    "within one hundred and twenty days of",
    "within a fortnight of",
    "within six weeks of",
    "within a month of",
    "within half a year of",
    "within 30 days or {{limits.return_window_days}} days of",
    "for $100 and",
    "for 100 € and",
    "for 100 USD and",
    "for USD 100 and",
    "for 1,000.00 USD and",
    "for 100 dollars and",
    "for a hundred dollars and",
    "for 5000 yen and",
    "for ¥5000 and",
    "for KWD1.230 and",
    "for 100 usd and",
    "at most 5 times",
    "at most five times",
    "after five refunds",
    "after 3 refunds",
    "within 4{{limits.return_window_days}} days of",
    "within {{limits.return_window_days}}0 days of",
    "within {{limits.return_window_days}}.5 days of",
    "within {{limits.return_window_days}} hundred days of",
    "within {{limits.return_window_days}} weeks of",
    "within {{limits.return_window_days}} business hours of",
    "for {{limits.unattended_max}} EUR and",
    "for €{{limits.unattended_max}} and",
    "{{limits.refund_limit.max_count}} days after",
    "{{limits.unattended_max}}% of",
  ];
  test.each(refused)("%j", (text) => {
    let source = changed(WINDOW, text);
    // Everywhere that customers can read: prose, their sentence, a title, what stands before the clauses.
    if (!text.includes("\n"))
      source = source
        .replace("> Customer: Refunds of", () => `> Customer: ${text} of`)
        .replace("## Gifts {", () => `## Gifts ${text} {`)
        .replace("# Returns and refunds at", () => `${text}\n\n# Returns and refunds at`);
    const first = text.split("\n")[0] as string;
    const expected = source.split("\n").flatMap((line, at) => (line.includes(first) ? [at + 1] : []));
    expect(expected).toHaveLength(text.includes("\n") ? 1 : 4);
    expect(faultsOf(source).map((fault) => fault.line)).toEqual(expected);
  });

  const accepted = [
    "within {{limits.return_window_days}} days of",
    "in a {{limits.return_window_days}}-day window of",
    "within {{ limits.return_window_days }} calendar\ndays of",
    "up to {{limits.unattended_max.JPY}} or",
    "at most {{limits.refund_limit.max_count}} times in {{limits.refund_limit.window_days}} days,",
    "section 45 of",
    "the 2 pairs of",
    "order #1042 and",
    "the day of",
    "one or more of",
    "ISO 9001 and",
    "twice or",
    "It is 2026. Days of",
    "call 555 0100 for",
    "item 12. Times and",
    "Carriers take 2 days. <!-- literal: the carrier's words -->\nwithin",
  ];
  test.each(accepted)("but %j may stand there", (text) => {
    expect(faultsOf(changed(WINDOW, text))).toEqual([]);
  });

  test("a reason covers its own line only, and has to be one", () => {
    const lines = (first: string) => `It takes ${first}\nand 3 days more,`;
    expect(faultsOf(changed(WINDOW, lines("2 days <!-- literal: theirs -->")))).toHaveLength(1);
    expect(faultsOf(changed(WINDOW, lines("2 days <!-- literal: -->")))).toHaveLength(2);
    expect(faultsOf(changed(WINDOW, lines("2 days <!-- theirs -->")))).toHaveLength(2);
  });

  test("any number of days in any clause is refused, however it is broken over lines", () => {
    const breaks = fc.constantFrom(" ", "\n", "-", "  ", " *", "\u00a0");
    fc.assert(
      fc.property(
        fc.nat({ max: 99_999 }),
        breaks,
        fc.constantFrom("day", "days", "Days", "USD"),
        (n, gap, unit) => {
          fc.pre(!(gap === "\n" && unit === "Days"));
          expect(faultsOf(changed(WINDOW, `within ${n}${gap}${unit} of`)).length).toBeGreaterThan(0);
        },
      ),
      { seed: SEED, numRuns: 15 },
    );
  });

  test("a limit that is shown has to be enforced by a rule", () => {
    const source = changed(
      "context.customer.lifetimeSpendMinor >= context.limits.highValueLifetimeSpendMinor",
      "context.order.gift",
    );
    expect(faultsOf(source).some(({ message }) => /shown.*high_value.*no rule reads/.test(message))).toBe(
      true,
    );
  });

  test("placeholders show each limit in its own currency", () => {
    const parsed = readPolicy(
      changed(
        WINDOW,
        "{{limits.unattended_max}}, {{limits.unattended_max.JPY}}, {{limits.unattended_max.KWD}}",
      ),
    );
    expect(parsed.ok && parsed.policy.clauses[1]?.prose).toContain("100.00 USD, 15000 JPY, 30.000 KWD");
  });

  test("what customers are shown has no placeholder and no comment left", () => {
    for (const name of SHIPPED)
      for (const { title, prose, customerText, translations } of version(name).clauses)
        expect(`${title} ${prose} ${customerText} ${Object.values(translations).join(" ")}`).not.toMatch(
          /\{\{|<!--/,
        );
  });
});

describe("rules that could not do what they say are refused", () => {
  const refused: [string, string][] = [
    ["a state that is none, in a set", forbid('["in_transit", "lost"].contains(context.order.state)')],
    ["a state by pattern", forbid('context.order.state like "in_*"')],
    [
      "a state by way of a condition",
      forbid('(if context.order.gift then context.order.state else "x") == "x"'),
    ],
    ["a currency in small letters", forbid('context.order.currency == "usd"')],
    ["a kind that is none", forbid('"refunds" == context.request.kind')],
    ["all facts at once", forbid("context.order == context.order")],
    ["a number of another kind of writing", forbid("context.order.paidMinor > 10000")],
    ["a template", "forbid (principal == ?principal, action, resource);"],
    ["a rule that can never apply", forbid("false")],
    ["an attribute of the customer", forbid('principal.name == "ada"')],
    ["text that never ends", 'forbid (principal, action, resource) when { context.order.currency == "USD };'],
    ["brackets by the hundred", forbid(`${"(".repeat(300)}true${")".repeat(300)}`)],
    ["a chain by the hundred", forbid(`context${".a".repeat(500)} == 0`)],
    ["a sum by the thousand", forbid(`0 ${"+ 1".repeat(2_000)} == 0`)],
    ["a set in a set by the hundred", forbid(`${"[".repeat(300)}0${"]".repeat(300)} == [0]`)],
    ["conditions by the hundred", forbid(`${"if true then ".repeat(300)}true${" else true".repeat(300)}`)],
    [
      "more rules than can be evaluated in time",
      `${forbid("context.order.gift")}\n`.repeat(LIMITS.policyRules),
    ],
  ];
  test.each(refused)("%s", (_, rule) => {
    expect(faultsOf(withRule(rule)).length).toBeGreaterThan(0);
    // The engine serves the whole process: it has to be as it was.
    expect(readPolicy(SOURCE).ok).toBe(true);
  });

  const accepted: [string, string][] = [
    ["words of a set", forbid('["in_transit", "unfulfilled"].contains(context.order.state)')],
    ["a word on the left", forbid('"return" == context.request.kind')],
    ["a currency", forbid('context.order.currency != "USD" && context.order.gift')],
    [
      "an optional limit after has",
      forbid("context.limits has unattendedMaxMinor && context.limits.unattendedMaxMinor == 0"),
    ],
    [
      "a number with its reason",
      "forbid (principal, action, resource)\nwhen { context.order.daysSincePlaced > 3650 }; // literal: books are kept for ten years",
    ],
    [
      "semicolons and slashes in text and comments",
      `// a; "b\n@note("x; // y")\n${forbid("context.order.gift")} // c;`,
    ],
  ];
  test.each(accepted)("but %s are not", (_, rule) => {
    expect(faultsOf(withRule(rule))).toEqual([]);
  });

  test("a document whose rules permit nothing is refused", () => {
    const source = SOURCE.replaceAll(/^permit .*$/gm, forbid("context.order.gift"));
    expect(faultsOf(source).map(({ message }) => message)).toEqual([
      expect.stringContaining("permits anything"),
    ]);
  });
});

describe("any input is read or refused, never thrown at", () => {
  const noise = fc.oneof(
    fc.string({ maxLength: 200, unit: "binary" }),
    fc.constantFrom(
      "---\n",
      "```cedar\n",
      "```\n",
      "{{",
      "}}",
      "<!--",
      "-->",
      '"',
      ";",
      "## x {#x}\n",
      "> Customer:\n",
      "\0",
      "\ud800",
      "*x",
      "&x ",
      "!!set ",
      "__proto__: 1\n",
      "constructor: {}\n",
      "? - a\n: b\n",
      "[".repeat(5_000),
      "{a: ".repeat(5_000),
      "(".repeat(5_000),
      "- ".repeat(5_000),
      "9".repeat(20_000),
      "when { ",
      "\u2028",
    ),
  );
  test(`noise anywhere (seed ${SEED})`, () => {
    fc.assert(
      fc.property(noise, fc.nat({ max: SOURCE.length }), (text, at) => {
        readPolicy(text);
        readPolicy(SOURCE.slice(0, at) + text + SOURCE.slice(at));
      }),
      { seed: SEED, numRuns: 25 },
    );
    expect(readPolicy(SOURCE).ok).toBe(true);
  });

  test("every kind of noise in the front matter", () => {
    for (const text of [
      "[".repeat(20_000),
      "{a: ".repeat(20_000),
      "__proto__: {a: 1}",
      "constructor: 1",
      "<<: {id: x}",
      "x: !!binary a",
    ])
      expect(
        faultsOf(SOURCE.replace("tenant: northwind", `tenant: northwind\n${text}`)).length,
        text.slice(0, 20),
      ).toBeGreaterThan(0);
  });

  test("a document of the largest size takes no longer than a moment", () => {
    const filler = `${"9 ".repeat(60)}\n`;
    const source = SOURCE + filler.repeat(Math.floor((LIMITS.policyBytes - SOURCE.length) / filler.length));
    expect(readPolicy(source).ok).toBe(true);
    expect(faultsOf(`${source}${filler.repeat(3_000)}`)).toHaveLength(1);
  }, 5_000);
});

describe("the documentation is true", () => {
  test("its example passes, and it names every fact that a rule may read", async () => {
    const { readFile } = await import("node:fs/promises");
    const page = await readFile(new URL("../../docs/policies.md", import.meta.url), "utf8");
    const example = /~~~markdown\n([\s\S]*?)~~~/.exec(page)?.[1] ?? "";
    expect(faultsOf(example)).toEqual([]);
    for (const fact of FACT_NAMES) expect(page).toContain(`\`${fact.split(".")[1]}\``);
  });
});
