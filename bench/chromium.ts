/** The browser that pages are tried and measured in: the machine's own, never one that is downloaded. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.RECOURSE_CHROMIUM ?? BROWSERS.find(existsSync);
  if (executablePath === undefined) {
    throw new Error("No Chromium found: install Debian's package chromium, or set RECOURSE_CHROMIUM.");
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
