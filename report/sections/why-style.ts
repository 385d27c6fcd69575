/** The part of the page's style sheet that the tables of parts need. */
export const whyStyle = `
.why tbody + tbody { border-top: 2px solid var(--line); }
.why tbody th { white-space: normal; max-width: 18rem; }
.why small { white-space: nowrap; }
`;
