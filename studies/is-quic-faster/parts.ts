import type { RawOptions } from '../../ground/options/row.ts';

/** The parts with all pages and the planned questions of the headlines. */
export const BASE = ['base', 'base-near', 'base-bursts'];

/** The part that divides gains. */
export const DIVIDED = 'divided';

/** The part in which each stack is compared with itself under another condition. */
export const COMPARED_CONDITIONS = 'overtaking';

export interface Part {
  /** Also the name of its folders. */
  name: string;
  title: string;
  question: string;
  options: RawOptions;
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

/** Of each quarter of sizes the page with many hosts. */
export const PAGES_OF_MANY_HOSTS = [
  'www.baidu.com',
  'www.wsj.com',
  'www.sina.com.cn',
  'www.taobao.com',
];

/** Every part is measured in this many sittings, hours apart, each with its share of the blocks. */
export const SITTINGS = 8;

export const SITTING_NUMBERS = Array.from({ length: SITTINGS }, (_, index) => index + 1);

/** Four servers over HTTP/3, each with HTTP/2 by the same program. */
const STACKS = 'lsquic-h3,bun-h2,quic-go-h3,go-h2,caddy-h3,caddy-h2,envoy-h3,envoy-h2';

/** The same servers; those over HTTP/3 offer both versions. */
const STACKS_WITH_BOTH = 'bun-dual,bun-h2,go-dual,go-h2,caddy-dual,caddy-h2,envoy-dual,envoy-h2';

/** Options of every part. TCP has Linux' congestion control, and the initial windows of the QUIC it is compared with. */
const COMMON: RawOptions = {
  stacks: STACKS,
  sites: PAGES.join(),
  repetitions: `${SITTINGS}`,
  initcwnd: 'matched',
  'receive-buffer': 'matched',
  hars: 'none',
};

/** Options of every part that changes one thing. */
const ONE_THING: RawOptions = { ...COMMON, sites: FEWER_PAGES.join() };

const OVER_30_MS: RawOptions = { ...ONE_THING, rtt: '30' };

const KEPT_HARS: RawOptions = { hars: 'all', 'compress-hars': 'true' };

/** The measurement in its order. Each part has a seed, so that its plan is known before it is frozen. */
export const PARTS: readonly Part[] = [
  {
    name: 'base',
    title: 'Twelve pages over three networks',
    question: 'Is a first visit by a browser that knows of HTTP/3 faster than by HTTP/2?',
    options: { ...COMMON, ...KEPT_HARS, network: '30ms,lte', rtt: '100', seed: '101' },
  },
  {
    name: 'base-near',
    title: 'Twelve pages next to the server',
    question: 'Is a first visit faster by HTTP/3 next to the server?',
    // Here, and with bursts, loads vary more.
    options: {
      ...COMMON,
      ...KEPT_HARS,
      network: 'none',
      repetitions: `${2 * SITTINGS}`,
      seed: '116',
    },
  },
  {
    name: 'base-bursts',
    title: 'Twelve pages with bursts of losses',
    question: 'Is a first visit faster by HTTP/3 where packets are lost in bursts?',
    options: {
      ...COMMON,
      ...KEPT_HARS,
      network: 'wireless-bursts',
      repetitions: `${3 * SITTINGS}`,
      seed: '117',
    },
  },
  {
    name: 'as-installed',
    title: 'TCP as Linux has it',
    question: 'What if TCP begins with 10 packets and a receive window of 64 kB?',
    options: {
      ...ONE_THING,
      initcwnd: 'stock',
      'receive-buffer': 'stock',
      network: '30ms,lte',
      rtt: '100',
      seed: '102',
    },
  },
  {
    name: DIVIDED,
    title: 'Gains divided',
    question: 'Whose gain is it?',
    // Two pages and three servers: the further arms are many, and Caddy contains quic-go.
    options: {
      ...ONE_THING,
      stacks: 'lsquic-h3,bun-h2,quic-go-h3,go-h2,envoy-h3,envoy-h2',
      sites: FEWER_PAGES.slice(1, 3).join(),
      explain: 'true',
      rtt: '30,100',
      seed: '103',
    },
  },
  {
    name: 'distances',
    title: 'Short distances',
    question: 'Is HTTP/3 faster over short distances?',
    options: { ...ONE_THING, rtt: '5,10,15,20', seed: '104' },
  },
  {
    name: 'rates',
    title: 'Rates of the link',
    question: 'Is HTTP/3 faster over a link of this rate?',
    options: { ...OVER_30_MS, down: '10000,50000', up: '5000', seed: '105' },
  },
  {
    name: 'discovered',
    title: 'HTTP/3 discovered',
    question: 'What if the browser first has to find out that the site has HTTP/3?',
    options: {
      ...OVER_30_MS,
      stacks: STACKS_WITH_BOTH,
      visit: 'cold,discovered,https-record',
      seed: '106',
    },
  },
  {
    name: 'own-host',
    title: 'HTTP/3 on the own host',
    question: 'What if only the host of the document uses HTTP/3?',
    options: { ...OVER_30_MS, sites: PAGES_OF_MANY_HOSTS.join(), hosts: 'own', seed: '107' },
  },
  {
    name: 'firefox',
    title: 'Firefox',
    question: 'Is HTTP/3 faster in Firefox?',
    options: { ...ONE_THING, browser: 'firefox', rtt: '30', seed: '108' },
  },
  {
    name: 'aioquic',
    title: 'A server in Python',
    question: 'Is HTTP/3 faster by aioquic?',
    options: {
      ...ONE_THING,
      stacks: 'hypercorn-h3,hypercorn-h2',
      network: '30ms,lte',
      seed: '109',
    },
  },
  {
    name: COMPARED_CONDITIONS,
    title: 'Packets that overtake each other',
    question: 'What does jitter alone change, by which packets overtake each other?',
    options: {
      ...ONE_THING,
      rtt: '40',
      down: '20000',
      up: '10000',
      jitter: '0,2',
      seed: '112',
    },
  },
];
