import type { RawOptions } from '../../ground/options/row.ts';
import type { RunOfSeries } from '../../report/series.ts';

/** The preset that measures all parts. */
export const SERIES = 'is-quic-faster';

/** The part with all pages. */
export const MAIN = 'main';

export interface Part extends RunOfSeries {
  question: string;
}

/** The result of the rule in pages.ts: real pages, then generated ones from small to large. */
export const PAGES = [
  'dijit-layout',
  'jquery-ui-demo',
  'material-design-icons',
  'shower-deck',
  'www.google.co.in',
  'www.baidu.com',
  'www.twitter.com',
  'www.wsj.com',
  'www.blogspot.com',
  'www.sina.com.cn',
  'www.live.com',
  'www.taobao.com',
];

/** Pages of the parts that change one thing: of each quarter of sizes the page with few hosts. */
export const FEWER_PAGES = [
  'www.google.co.in',
  'www.twitter.com',
  'www.blogspot.com',
  'www.live.com',
];

/** Options of every part: two QUIC implementations, each with its twin over TCP with the same initial window and congestion control. */
const COMMON: RawOptions = {
  stacks: 'lsquic-h3,bun-h2,quic-go-h3,go-h2',
  cc: 'matched',
  initcwnd: 'matched',
  'receive-buffer': 'stock',
  hars: 'none',
};

/** Options of every part except the main one. Each part changes one thing. */
const ONE_THING: RawOptions = { ...COMMON, sites: FEWER_PAGES.join(), repetitions: '10' };

/** The network of that name, without its jitter and losses. */
const LOSSY_WIRELESS: RawOptions = { ...ONE_THING, rtt: '40', down: '20000', up: '10000' };

const JITTER: RawOptions = { jitter: '2' };
const BURSTS: RawOptions = { 'burst-loss': '0.4/33' };

/** Rates to the client, in kbit/s; those to the servers are a quarter. */
const RATES_KBPS = [5_000, 15_000, 50_000];

/** The measurement in its order. Each part has a seed, so that its plan is known before it is frozen. */
const UNPLACED: readonly Omit<Part, 'folder'>[] = [
  {
    name: MAIN,
    title: 'Twelve pages over five networks',
    question: 'Is a first visit faster by HTTP/3 than by HTTP/2?',
    options: {
      ...COMMON,
      sites: PAGES.join(),
      network: 'none,30ms,lte,lossy-wireless',
      rtt: '100',
      repetitions: '12',
      seed: '1',
    },
  },
  {
    name: 'visits',
    title: 'First and later visits',
    question: 'How much of the difference remains when the browser has visited the page before?',
    options: { ...ONE_THING, rtt: '30', visit: 'cold,resumed,repeat', seed: '2' },
  },
  {
    name: 'losses',
    title: 'Lost packets',
    question: 'What do losses alone change?',
    options: { ...ONE_THING, rtt: '30', loss: '0,0.5,2', seed: '3' },
  },
  ...RATES_KBPS.map((kbps, index) => ({
    name: `rate-${kbps / 1000}-mbps`,
    title: `A link of ${kbps / 1000} Mbit/s`,
    question: 'What does the rate of the link alone change?',
    options: {
      ...ONE_THING,
      rtt: '30',
      down: `${kbps}`,
      up: `${kbps / 4}`,
      seed: `${4 + index}`,
    },
  })),
  {
    name: 'initial-window',
    title: 'The initial window of Linux',
    question: 'What if servers over TCP begin with 10 packets, not with 32?',
    options: { ...ONE_THING, rtt: '30', initcwnd: 'stock', seed: '7' },
  },
  {
    name: 'certificates',
    title: 'Certificates as most sites have them',
    question:
      'What does a chain of 3.9 kB change, which a server must send before it knows the client?',
    options: { ...ONE_THING, rtt: '30', 'cert-chain': 'realistic', seed: '8' },
  },
  {
    name: 'key-exchange',
    title: 'Post-quantum key exchange',
    question:
      'What if servers send a kilobyte more in each handshake, and both ends compute more for it?',
    options: { ...ONE_THING, rtt: '30', 'key-exchange': 'x25519mlkem768', seed: '9' },
  },
  {
    name: 'bursts',
    title: 'The lossy wireless network in order',
    question:
      'What do its bursts of losses change where no jitter lets packets overtake each other?',
    options: { ...LOSSY_WIRELESS, ...BURSTS, jitter: '0', seed: '10' },
  },
  {
    name: 'overtaking',
    title: 'The lossy wireless network without losses',
    question: 'What does its jitter change, by which packets overtake each other?',
    options: { ...LOSSY_WIRELESS, ...JITTER, seed: '11' },
  },
  {
    name: 'distances',
    title: 'Short distances',
    question: 'From what distance on is HTTP/3 faster?',
    options: { ...ONE_THING, rtt: '5,10,15,20', seed: '12' },
  },
];

export const PARTS: readonly Part[] = UNPLACED.map((part) => ({ ...part, folder: part.name }));
