/**
 * What a browser measures of the pages on their first load, with an empty cache: largest contentful paint,
 * total blocking time (what tasks took beyond 50 ms each), cumulative layout shift (by session windows, as the
 * browsers' own metric), and bytes over the wire. Once as this machine is, once with a slow network and processor.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { freePort, startServer, stop } from "./processes.ts";
import { kilobytes, ms, percentile } from "./statistics.ts";

export interface PageFigure {
  readonly page: string;
  readonly on: string;
  readonly paint: string;
  readonly blocking: string;
  readonly shift: string;
  readonly bytes: string;
  readonly scripts: string;
}

interface Load {
  readonly paintMs: number;
  readonly blockingMs: number;
  readonly shift: number;
  readonly bytes: number;
  readonly scriptBytes: number;
}

interface Condition {
  readonly name: string;
  readonly runs: number;
  /** Chromium's own "Slow 3G": 400 kbit/s and two seconds for each answer to begin. */
  readonly network: { latency: number; downloadThroughput: number; uploadThroughput: number } | null;
  readonly slowdown: number;
}
const CONDITIONS: readonly Condition[] = [
  { name: "as it is", runs: 5, network: null, slowdown: 1 },
  {
    name: "slow 3G, processor 4 × slower",
    runs: 3,
    network: { latency: 2_000, downloadThroughput: 50_000, uploadThroughput: 50_000 },
    slowdown: 4,
  },
];
const WAIT_MS = 90_000;
/** A page is loaded when its last sign is there and this long nothing was painted, moved or computed. */
const QUIET_MS = 2_500;

/** Runs in the page, before anything of it. */
const OBSERVE = `
  window.measured = { paintMs: 0, blockingMs: 0, shift: 0, lastMs: 0 };
  const windowOf = { sum: 0, beganMs: -Infinity, lastMs: -Infinity };
  const observe = (type, take) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        take(entry);
        measured.lastMs = Math.max(measured.lastMs, entry.startTime + entry.duration);
      }
    }).observe({ type, buffered: true });
  observe("largest-contentful-paint", (entry) => { measured.paintMs = entry.startTime; });
  observe("longtask", (entry) => { measured.blockingMs += Math.max(0, entry.duration - 50); });
  observe("layout-shift", (entry) => {
    if (entry.hadRecentInput) return;
    if (entry.startTime - windowOf.lastMs > 1000 || entry.startTime - windowOf.beganMs > 5000) {
      windowOf.sum = 0;
      windowOf.beganMs = entry.startTime;
    }
    windowOf.sum += entry.value;
    windowOf.lastMs = entry.startTime;
    measured.shift = Math.max(measured.shift, windowOf.sum);
  });
`;
/** Asked by the debugger: the pages' own policy lets nobody else run a text. */
const QUIET = `new Promise((tell) => {
  const look = () =>
    performance.now() - measured.lastMs > ${QUIET_MS} ? tell(measured) : setTimeout(look, 100);
  look();
})`;

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly ready: (page: Page) => Promise<unknown>;
  /** The context that the page is opened in, by whoever is signed in there. */
  readonly enter?: (context: BrowserContext) => Promise<unknown>;
}

export async function measurePages(root: string): Promise<PageFigure[]> {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const server = await startServer({
    folder: join(root, "pages"),
    port,
    sandboxPort,
    env: { RECOURSE_LOG_LEVEL: "error" },
  });
  const url = `http://127.0.0.1:${port}`;
  // A shop of its own, which does nothing but embed the widget.
  const host = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><h1>A shop</h1><script async src="${url}/widget.js" data-tenant="northwind"></script></html>`,
    );
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const subjects: readonly Subject[] = [
    {
      name: "`/console`, signed in: the queue",
      url: `${url}/console`,
      ready: (page) => page.getByRole("navigation", { name: "Pages" }).waitFor(),
      enter: async (context) => {
        const page = await context.newPage();
        await page.goto(`${url}/console`);
        await page
          .getByRole("button", { name: /Olivia/ })
          .first()
          .click();
        await page.getByRole("navigation", { name: "Pages" }).waitFor();
        await page.close();
      },
    },
    {
      name: "`/shop`, the widget's launcher on it",
      url: `${url}/shop?as=ada`,
      ready: (page) => page.locator("#recourse-widget-northwind button.l").waitFor(),
    },
    {
      name: "an empty page with the widget's loader",
      url: `http://127.0.0.1:${(host.address() as AddressInfo).port}/`,
      ready: (page) => page.locator("#recourse-widget-northwind button.l").waitFor(),
    },
  ];
  const browser = await launchChromium();
  try {
    const figures: PageFigure[] = [];
    for (const subject of subjects) {
      for (const condition of CONDITIONS) {
        const loads: Load[] = [];
        for (let n = 0; n < condition.runs; n += 1) loads.push(await load(browser, subject, condition));
        const median = (of: (load: Load) => number) => percentile(loads.map(of), 50);
        figures.push({
          page: subject.name,
          on: condition.name,
          paint: ms(median((load) => load.paintMs)),
          blocking: ms(median((load) => load.blockingMs)),
          shift: median((load) => load.shift).toFixed(3),
          bytes: kilobytes(median((load) => load.bytes)),
          scripts: kilobytes(median((load) => load.scriptBytes)),
        });
      }
    }
    return figures;
  } finally {
    await browser.close();
    host.closeAllConnections();
    host.close();
    await stop(server);
  }
}

async function load(browser: Browser, subject: Subject, condition: Condition): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  context.setDefaultTimeout(WAIT_MS);
  context.setDefaultNavigationTimeout(WAIT_MS);
  try {
    await subject.enter?.(context);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
    if (condition.network !== null) {
      await devtools.send("Network.emulateNetworkConditions", { offline: false, ...condition.network });
    }
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: condition.slowdown });
    const scripts = new Set<string>();
    let [bytes, scriptBytes] = [0, 0];
    devtools.on("Network.responseReceived", ({ requestId, type }) => {
      if (type === "Script") scripts.add(requestId);
    });
    devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      bytes += encodedDataLength;
      if (scripts.has(requestId)) scriptBytes += encodedDataLength;
    });
    await page.addInitScript(OBSERVE);
    await page.goto(subject.url);
    await subject.ready(page);
    const seen = (await page.evaluate(QUIET)) as Omit<Load, "bytes" | "scriptBytes">;
    return { ...seen, bytes, scriptBytes };
  } finally {
    await context.close();
  }
}
