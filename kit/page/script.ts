/**
 * The script of every page: sorts tables of sites by click or keyboard, and opens the target of a link. Without
 * it, tables stay in the order of the plan.
 */
export const SCRIPT = `
for (const table of document.querySelectorAll('table.sortable')) {
  const said = document.createElement('p');
  said.className = 'hidden';
  said.setAttribute('role', 'status');
  table.after(said);
  const headings = [...table.querySelectorAll('th[data-column]')];
  for (const heading of headings) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const up = heading.getAttribute('aria-sort') !== 'ascending';
      for (const other of headings) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const key = (row) => row.cells[Number(heading.dataset.column)].dataset.key;
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(key(a), key(b), up));
      table.tBodies[0].append(...rows);
      said.textContent = 'Sorted by ' + heading.dataset.name + (up ? ', ascending' : ', descending');
    });
  }
}
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target?.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
  target?.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
function compare(a, b, up) {
  if (a === '' || b === '') return (a === '') - (b === '');
  const order = isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
  return up ? order : -order;
}
`;
