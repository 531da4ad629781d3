/* One interface to two browsers: stock Firefox over WebDriver BiDi, and WebKit over WebDriver. */

import puppeteer from "puppeteer-core";
import { Builder, By } from "selenium-webdriver";

/**
 * Open Firefox; problems in a page's scripts and failed requests go to `tell`.
 * @param {{ program: string }} facts
 * @param {(problem: string) => void} tell
 */
export async function firefox({ program }, tell) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: program,
    headless: true,
  });
  const page = await browser.newPage();
  page.on("pageerror", (error) => {
    // What a page that is being left was still loading through the service worker.
    if (!/A ServiceWorker intercepted the request/.test(error)) tell(`an error in a script: ${error}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") tell(`an error on the console: ${message.text()}`);
  });
  page.on("response", (answer) => {
    if (answer.status() >= 400) tell(`status ${answer.status()} for ${answer.url()}`);
  });
  return {
    version: await browser.version(),
    open: (url) => page.goto(url, { waitUntil: "load" }),
    run: (script) => page.evaluate(script),
    click: async (selector, at = 0) => (await page.$$(selector))[at].click(),
    size: (width, height) => page.setViewport({ width, height }),
    cookie: (name, value) => browser.setCookie({ name, value, domain: "localhost", path: "/" }),
    close: () => browser.close(),
  };
}

/**
 * Open WebKit's small browser, by its driver at a port.
 * @param {{ program: string, port: number }} facts
 */
export async function webkit({ program, port }) {
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: "MiniBrowser",
      // Its toolbar would keep the window at least 447 px wide.
      "webkitgtk:browserOptions": { binary: program, args: ["--automation", "--full-screen"] },
    })
    .build();
  const capabilities = await driver.getCapabilities();
  const window = driver.manage().window();
  return {
    version: `WebKitGTK ${capabilities.getBrowserVersion()}`,
    open: (url) => driver.get(url),
    run: (script) => driver.executeScript(`return ${script}`),
    click: async (selector, at = 0) => (await driver.findElements(By.css(selector)))[at].click(),
    size: (width, height) => window.setRect({ width, height }),
    cookie: (name, value) => driver.manage().addCookie({ name, value, path: "/" }),
    close: () => driver.quit(),
  };
}
