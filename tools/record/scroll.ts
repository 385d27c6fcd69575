import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';

/** More screens than this a page without an end has. */
const MOST_STEPS = 100;
/** What pages load when it comes near the screen begins to load within a frame or two. */
const STEP_MS = 150;

/** Scrolls to the end of the page screen by screen, and back. False: there was no end after 100 screens. */
export async function scrollThrough(session: CDPSession): Promise<boolean> {
  let atEnd = false;
  for (let step = 0; step < MOST_STEPS && !atEnd; step++) {
    atEnd = await evaluate(session, STEP_DOWN);
    await sleep(STEP_MS);
    // What came meanwhile may have moved the end.
    if (atEnd) atEnd = await evaluate(session, IS_AT_END);
  }
  await evaluate(session, TO_TOP);
  return atEnd;
}

async function evaluate(session: CDPSession, expression: string): Promise<boolean> {
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
  return result.value === true;
}

const IS_AT_END = 'scrollY + innerHeight >= document.documentElement.scrollHeight - 2';
const STEP_DOWN = `scrollBy({ top: innerHeight, behavior: 'instant' }), ${IS_AT_END}`;
const TO_TOP = `scrollTo({ top: 0, behavior: 'instant' })`;
